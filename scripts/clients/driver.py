"""For tests: reads one call a line from standard input, and answers each with one line."""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from namewright import Namewright, NamewrightError  # noqa: E402

client = Namewright(os.environ["NAMEWRIGHT_URL"], os.environ["NAMEWRIGHT_API_KEY"], time_budget=5)
for line in sys.stdin:
    call = json.loads(line)
    try:
        data = getattr(client, call["method"])(*call["args"], **call["options"])
        answer = {"data": data if isinstance(data, dict) else list(data)}
    except NamewrightError as error:
        fields = ("status", "code", "hint", "errors", "request_id", "retry_after")
        answer = {"error": {field: getattr(error, field) for field in fields}}
    except (ValueError, OSError) as error:
        answer = {"error": {"code": "ValueError" if isinstance(error, ValueError) else "OSError"}}
    print(json.dumps(answer), flush=True)

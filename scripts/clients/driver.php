<?php

/** For tests: reads one call a line from standard input, and answers each with one line. */

declare(strict_types=1);

error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message): bool {
    // A call that expects a warning has silenced it.
    return error_reporting() & $level ? throw new \ErrorException($message) : false;
});

require $argv[1] . '/Namewright.php';

use Namewright\Namewright;
use Namewright\NamewrightError;
use Namewright\NetworkError;

$client = new Namewright(getenv('NAMEWRIGHT_URL'), getenv('NAMEWRIGHT_API_KEY'), timeBudget: 5);
while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    try {
        $data = $client->{$call['method']}(...$call['args'], ...$call['options']);
        $answer = ['data' => is_array($data) ? (object) $data : iterator_to_array($data, false)];
    } catch (NamewrightError $error) {
        $answer = ['error' => [
            'status' => $error->status,
            'code' => $error->errorCode,
            'hint' => $error->hint,
            'errors' => $error->errors,
            'request_id' => $error->requestId,
            'retry_after' => $error->retryAfter,
        ]];
    } catch (\InvalidArgumentException $error) {
        $answer = ['error' => ['code' => 'ValueError']];
    } catch (NetworkError $error) {
        $answer = ['error' => ['code' => 'OSError']];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}

-- What an account may use in all, whoever acts for it, and whether it may act at all: the operator's limits.
--
-- A limit that is null does not bind, and neither does an account without a row. Whoever adds something that is limited
-- locks the row first, so that two at once cannot both take the last place.
CREATE TABLE account_plan (
  account_id          uuid PRIMARY KEY,
  names_per_day       bigint CHECK (names_per_day >= 0),
  names_per_month     bigint CHECK (names_per_month >= 0),
  requests_per_minute bigint CHECK (requests_per_minute > 0),
  keys                bigint CHECK (keys >= 0),
  webhooks            bigint CHECK (webhooks >= 0),
  applications        bigint CHECK (applications >= 0),
  running_batches     bigint CHECK (running_batches >= 0),
  open_streams        bigint CHECK (open_streams >= 0),
  suspended_at        timestamptz,
  suspended_reason    text,
  CONSTRAINT account_plan_account FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
  CONSTRAINT account_plan_reason CHECK (suspended_reason IS NULL OR suspended_at IS NOT NULL)
);

-- The names that a stream was charged for before it was cut, so that resuming it charges only the others. `id` is a hash of the
-- request with its Idempotency-Key or with the token of the stream.
CREATE TABLE stream_charge (
  account_id uuid NOT NULL,
  id         text NOT NULL,
  charged_at timestamptz NOT NULL,
  names      text[] NOT NULL,
  PRIMARY KEY (account_id, id),
  CONSTRAINT stream_charge_account FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX stream_charge_age ON stream_charge (account_id, charged_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON account_plan, stream_charge TO namewright_app;
DO $$
DECLARE
  tenant text;
BEGIN
  FOREACH tenant IN ARRAY ARRAY['account_plan', 'stream_charge'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY own ON %I USING (account_id = acting_account())', tenant);
  END LOOP;
END
$$;

-- After the row is there: an application that is authorized again, for one, adds none.
CREATE FUNCTION keep_within_plan() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
  DECLARE
    plan account_plan;
    most bigint;
    present bigint;
  BEGIN
    SELECT * INTO plan FROM account_plan WHERE account_id = new.account_id FOR NO KEY UPDATE;
    most := CASE TG_ARGV[0] WHEN 'keys' THEN plan.keys WHEN 'applications' THEN plan.applications
      WHEN 'webhooks' THEN plan.webhooks WHEN 'running_batches' THEN plan.running_batches END;
    IF most IS NULL THEN
      RETURN NULL;
    END IF;
    present := CASE TG_ARGV[0]
      WHEN 'keys' THEN (SELECT count(*) FROM api_key
        WHERE account_id = new.account_id AND client_id IS NULL AND revoked_at IS NULL)
      -- The app of this installation is no application of the account's.
      WHEN 'applications' THEN (SELECT count(*) FROM api_key
        WHERE account_id = new.account_id AND client_id <> 'namewright-web' AND revoked_at IS NULL)
      WHEN 'webhooks' THEN (SELECT count(*) FROM webhook WHERE account_id = new.account_id)
      WHEN 'running_batches' THEN (SELECT count(*) FROM batch WHERE account_id = new.account_id AND state = 'running')
    END;
    IF present > most THEN
      RAISE EXCEPTION 'the plan of the account allows % %', most, TG_ARGV[0]
        USING ERRCODE = 'check_violation', CONSTRAINT = 'plan_' || TG_ARGV[0], DETAIL = most::text;
    END IF;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER key_within_plan AFTER INSERT ON api_key
  FOR EACH ROW WHEN (new.client_id IS NULL) EXECUTE FUNCTION keep_within_plan('keys');
CREATE TRIGGER application_within_plan AFTER INSERT ON api_key
  FOR EACH ROW WHEN (new.client_id <> 'namewright-web') EXECUTE FUNCTION keep_within_plan('applications');
CREATE TRIGGER application_again_within_plan AFTER UPDATE OF revoked_at ON api_key
  FOR EACH ROW WHEN (new.client_id <> 'namewright-web' AND old.revoked_at IS NOT NULL AND new.revoked_at IS NULL)
  EXECUTE FUNCTION keep_within_plan('applications');
CREATE TRIGGER webhook_within_plan AFTER INSERT ON webhook
  FOR EACH ROW EXECUTE FUNCTION keep_within_plan('webhooks');
CREATE TRIGGER batch_within_plan AFTER INSERT ON batch
  FOR EACH ROW WHEN (new.state = 'running') EXECUTE FUNCTION keep_within_plan('running_batches');

-- For the operator, who sees the plans of the accounts on a page, and nothing that an account holds.
CREATE POLICY totals ON account_plan FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION account_plans(accounts uuid[]) RETURNS SETOF account_plan
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT * FROM account_plan WHERE account_id = ANY (accounts) $$;
REVOKE EXECUTE ON FUNCTION account_plans(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION account_plans(uuid[]) TO namewright_app;

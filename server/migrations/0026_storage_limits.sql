-- What an account may store. A limit that is null does not bind. Accounts with a limit of names get the defaults, except
-- that of history, which deletes: the operator decides that for accounts that exist.
ALTER TABLE account_plan
  ADD COLUMN history_bytes bigint,
  ADD COLUMN batch_bytes bigint,
  ADD COLUMN answer_bytes bigint,
  ADD COLUMN favorites bigint;
ALTER TABLE account_plan ADD CONSTRAINT account_plan_stored
  CHECK (least(history_bytes, batch_bytes, answer_bytes, favorites) >= 0) NOT VALID;
-- The owner of a table with a forced policy sees nothing of it either.
ALTER TABLE account_plan NO FORCE ROW LEVEL SECURITY;
UPDATE account_plan SET batch_bytes = 200000000, answer_bytes = 100000000, favorites = 10000
  WHERE names_per_day IS NOT NULL;
ALTER TABLE account_plan FORCE ROW LEVEL SECURITY;

-- As in 0017, and favorites.
CREATE OR REPLACE FUNCTION keep_within_plan() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
  DECLARE
    plan account_plan;
    most bigint;
    present bigint;
  BEGIN
    SELECT * INTO plan FROM account_plan WHERE account_id = new.account_id FOR NO KEY UPDATE;
    most := CASE TG_ARGV[0] WHEN 'keys' THEN plan.keys WHEN 'applications' THEN plan.applications
      WHEN 'webhooks' THEN plan.webhooks WHEN 'running_batches' THEN plan.running_batches
      WHEN 'favorites' THEN plan.favorites END;
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
      WHEN 'favorites' THEN (SELECT count(*) FROM favorite WHERE account_id = new.account_id)
    END;
    IF present > most THEN
      RAISE EXCEPTION 'the plan of the account allows % %', most, TG_ARGV[0]
        USING ERRCODE = 'check_violation', CONSTRAINT = 'plan_' || TG_ARGV[0], DETAIL = most::text;
    END IF;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER favorite_within_plan AFTER INSERT ON favorite
  FOR EACH ROW EXECUTE FUNCTION keep_within_plan('favorites');

-- A webhook that is being deleted while an event is told is not told, instead of failing what the event is about: its row is
-- held from the moment it is found, as the foreign key would do a moment later.
CREATE OR REPLACE FUNCTION tell_webhooks() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
  DECLARE
    woken jsonb;
  BEGIN
    WITH told AS (
      INSERT INTO delivery (account_id, webhook_id, event_id, subject, next_at)
      SELECT new.account_id, id, new.id, new.subject, new.created_at FROM webhook
      WHERE account_id = new.account_id AND enabled
        AND coalesce(id::text = new.data ->> 'webhook_id', new.type = ANY (events))
      FOR KEY SHARE
      RETURNING webhook_id)
    SELECT jsonb_agg(jsonb_build_object('data', jsonb_build_object('webhook', webhook_id))) INTO woken FROM told;
    IF woken IS NOT NULL THEN
      PERFORM enqueue_jobs('webhook', woken);
    END IF;
    RETURN NULL;
  END
  $$;

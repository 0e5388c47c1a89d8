-- Work that outlives a request: who may touch the queue, and how.
--
-- The queue itself is pg-boss's, in the schema `jobs`. Its tables are made after the migrations, by `jobs/install.ts`,
-- and belong to the owner as everything does. The worker's own connections use the role namewright_jobs: it takes,
-- renews and gives back jobs, and of what tenants own it sees only which accounts there are. What serves requests,
-- namewright_app, cannot see the queue at all. It has the three functions below, and each acts for the account
-- that the transaction has named and for no other.
--
-- `group_id` of a job is its account, or `house` for a job that is nobody's.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'namewright_jobs') THEN
    CREATE ROLE namewright_jobs NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
DO $$
BEGIN
  EXECUTE format('GRANT namewright_jobs TO %I', current_user);
EXCEPTION
  WHEN unique_violation OR internal_error OR insufficient_privilege THEN NULL;
END
$$;

CREATE SCHEMA jobs;
GRANT USAGE ON SCHEMA jobs TO namewright_jobs;

-- Which accounts there are: that, and nothing about them.
GRANT USAGE ON SCHEMA public TO namewright_jobs;
GRANT SELECT (id) ON account TO namewright_jobs;
CREATE POLICY worker ON account FOR SELECT TO namewright_jobs USING (true);

-- `jobs` is an array of {"data": {…}, "after_ms": 0, "priority": 0}. The account's row is held until the commit, as a
-- foreign key would: an account that is being deleted gets no more jobs.
CREATE FUNCTION enqueue_jobs(queue text, jobs jsonb) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
  DECLARE
    mine uuid := public.acting_account();
    wanted integer := jsonb_array_length(enqueue_jobs.jobs);
    made integer;
  BEGIN
    PERFORM FROM public.account WHERE id = mine FOR KEY SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'no account to enqueue for' USING ERRCODE = 'NWJ02';
    END IF;
    INSERT INTO jobs.job (name, group_id, data, priority, start_after, created_on, keep_until, expire_seconds,
      deletion_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter)
    SELECT q.name, mine::text, coalesce(j.data, '{}'), coalesce(j.priority, 0), due.at, now(),
      due.at + q.retention_seconds * interval '1 second', q.expire_seconds,
      q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.policy, q.dead_letter
    FROM jobs.queue q, jsonb_to_recordset(enqueue_jobs.jobs) AS j (data jsonb, after_ms double precision, priority integer),
      LATERAL (SELECT now() + coalesce(j.after_ms, 0) * interval '1 millisecond' AS at) due
    WHERE q.name = enqueue_jobs.queue;
    GET DIAGNOSTICS made = ROW_COUNT;
    IF made <> wanted THEN
      RAISE EXCEPTION 'there is no queue %', enqueue_jobs.queue USING ERRCODE = 'NWJ03';
    END IF;
  END
  $$;

-- A finished job leaves nothing behind. Refused when the job is not running, runs as another attempt or belongs to
-- another account: then nothing of the transaction happens either.
CREATE FUNCTION finish_job(queue text, job uuid, attempt integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
  BEGIN
    DELETE FROM jobs.job j WHERE j.name = finish_job.queue AND j.id = finish_job.job AND j.state = 'active'
      AND j.retry_count = finish_job.attempt - 1 AND j.group_id = coalesce(public.acting_account()::text, 'house');
    IF NOT FOUND THEN
      RAISE EXCEPTION 'job % is not ours any more', finish_job.job USING ERRCODE = 'NWJ01';
    END IF;
  END
  $$;

-- All jobs of the account, waiting, running or dead. A worker that holds one can no longer finish it.
CREATE FUNCTION forget_jobs() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
  BEGIN
    DELETE FROM jobs.job WHERE group_id = public.acting_account()::text;
  END
  $$;

REVOKE EXECUTE ON FUNCTION enqueue_jobs(text, jsonb), finish_job(text, uuid, integer), forget_jobs() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_jobs(text, jsonb), finish_job(text, uuid, integer), forget_jobs() TO namewright_app;

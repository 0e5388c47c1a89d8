-- Who runs this installation, and what they may see of all accounts: totals, and nothing that an account holds.
--
-- The owners and admins of one account are the operators. It is the account of whoever opened the setup link, until the
-- operator's command names another.

-- Belongs to no tenant: one row at most. An account that is deleted takes the mark along, and then nobody is the
-- operator until the command says who.
CREATE TABLE operator_account (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  id      uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE ON operator_account TO namewright_app;

-- The owner of a table with a forced policy sees nothing of it either, and neither would a function of the owner's. What
-- the function below adds up its owner may read; the role that serves requests is not the owner and cannot become it.
DO $$
DECLARE
  tenant text;
BEGIN
  FOREACH tenant IN ARRAY ARRAY['account', 'member', 'api_key', 'quota_period', 'quota_block'] LOOP
    EXECUTE format('CREATE POLICY totals ON %I FOR SELECT TO CURRENT_USER USING (true)', tenant);
  END LOOP;
END
$$;

-- Installations that are older than the mark: the oldest account that somebody owns.
INSERT INTO operator_account (id)
  SELECT a.id FROM account a WHERE EXISTS (SELECT FROM member m WHERE m.account_id = a.id AND m.role = 'owner')
  ORDER BY a.created_at, a.id LIMIT 1;

-- For the beginning of a name, in any case.
CREATE INDEX account_name ON account (lower(name) text_pattern_ops, id);

-- A page of accounts, newest first by their ids, which are made by the clock; `beginning` is a pattern for LIKE. Written
-- out for each call: a plan that does not know the pattern could not use the index. What is used is what was leased less
-- what is left of open blocks, as everywhere, and it is added up for the accounts of the page alone.
CREATE FUNCTION account_totals(beginning text, before uuid, most integer, today date)
  RETURNS TABLE (id uuid, name text, created_at timestamptz, is_visitors boolean, people integer, keys integer,
    used_today bigint, used_month bigint, last_used_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
  BEGIN
    RETURN QUERY EXECUTE format($query$
      SELECT a.id, a.name, a.created_at, a.is_visitors,
        (SELECT count(*)::integer FROM member m WHERE m.account_id = a.id),
        k.keys, coalesce(u.today, 0)::bigint, coalesce(u.month, 0)::bigint, k.last_used_at
      FROM (SELECT * FROM account WHERE %s AND %s ORDER BY account.id DESC LIMIT %s) a,
        LATERAL (SELECT count(*) FILTER (WHERE revoked_at IS NULL AND client_id IS NULL)::integer AS keys,
            max(api_key.last_used_at) AS last_used_at FROM api_key WHERE account_id = a.id) k,
        LATERAL (SELECT sum(used) FILTER (WHERE kind = 'day') AS today, sum(used) FILTER (WHERE kind = 'month') AS month
          FROM (
            SELECT p.kind, p.leased AS used FROM api_key c JOIN quota_period p
              ON p.account_id = c.account_id AND p.key_id = c.id
              AND (p.kind, p.starts_on) IN (('day', %4$L::date), ('month', date_trunc('month', %4$L::date)::date))
            WHERE c.account_id = a.id
            UNION ALL
            SELECT kinds.kind, b.used - b.granted FROM quota_block b, (VALUES ('day'), ('month')) AS kinds (kind)
            WHERE b.account_id = a.id AND b.closed_at IS NULL
              AND (b.day = %4$L::date OR (kinds.kind = 'month' AND b.day >= date_trunc('month', %4$L::date)::date))
          ) spent) u
      ORDER BY a.id DESC$query$,
      CASE WHEN beginning IS NULL THEN 'true' ELSE format('lower(account.name) LIKE %L', beginning) END,
      CASE WHEN before IS NULL THEN 'true' ELSE format('account.id < %L::uuid', before) END,
      least(most, 1000), today);
  END
  $$;
REVOKE EXECUTE ON FUNCTION account_totals(text, uuid, integer, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION account_totals(text, uuid, integer, date) TO namewright_app;

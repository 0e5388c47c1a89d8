-- What a node has answered while the database was away, it brings along when that is back. The row is written in the same
-- transaction as what it brings, so whoever brings it a second time is refused.
CREATE TABLE deferred_commit (
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  id         uuid NOT NULL,
  PRIMARY KEY (account_id, id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON deferred_commit TO namewright_app;
ALTER TABLE deferred_commit ENABLE ROW LEVEL SECURITY;
ALTER TABLE deferred_commit FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON deferred_commit USING (account_id = acting_account());

-- Many generate requests in one: accepted at once, worked off by the worker, read as they finish.
--
-- A batch is cut into chunks, and a chunk is a job. What is counted is counted by chunk, so that the items of a batch
-- do not queue for one row; the batch's own row changes once for each chunk.

CREATE TABLE batch (
  account_id  uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  id          uuid NOT NULL,
  key_id      uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  state       text NOT NULL CHECK (state IN ('running', 'completed', 'canceled')),
  total       integer NOT NULL,
  chunks      integer NOT NULL,
  chunks_done integer NOT NULL CHECK (chunks_done <= chunks),
  -- Of the quota that was set aside for it; none where every item was wrong.
  block       uuid,
  webhook_id  uuid,
  -- Of the request that brought it, for items that name none.
  language    text NOT NULL,
  currency    text,
  finished_at timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX batch_running ON batch (account_id, id) WHERE state = 'running';

-- `waiting` has no job yet; `queued` has one; `running` was taken up by a worker at least once. `requests` is an array
-- with null in the place of an item that was wrong; it goes when the chunk ends. As json, not jsonb, here and below: it
-- is read whole or not at all.
CREATE TABLE batch_chunk (
  account_id uuid NOT NULL,
  batch_id   uuid NOT NULL,
  n          integer NOT NULL,
  first      integer NOT NULL,
  size       integer NOT NULL,
  requests   json,
  state      text NOT NULL CHECK (state IN ('waiting', 'queued', 'running', 'done', 'canceled')),
  done       integer NOT NULL,
  failed     integer NOT NULL,
  -- How often it was taken up, and when something last happened to it.
  taken      integer NOT NULL,
  touched_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, batch_id, n),
  CONSTRAINT batch_chunk_batch FOREIGN KEY (account_id, batch_id) REFERENCES batch (account_id, id) ON DELETE CASCADE,
  CONSTRAINT batch_chunk_not_overdone CHECK (done + failed <= size)
) WITH (fillfactor = 50);

-- What became of an item. The primary key is what makes it happen once. Without a foreign key: each is written in a
-- transaction that finds its chunk running or writes nothing, which is a check already.
CREATE TABLE batch_item (
  account_id uuid NOT NULL,
  batch_id   uuid NOT NULL,
  n          integer NOT NULL,
  result     json,
  error      jsonb,
  CONSTRAINT batch_item_once PRIMARY KEY (account_id, batch_id, n),
  CONSTRAINT batch_item_one_end CHECK (num_nonnulls(result, error) = 1)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON batch, batch_chunk, batch_item TO namewright_app;

DO $$
DECLARE
  tenant text;
BEGIN
  FOREACH tenant IN ARRAY ARRAY['batch', 'batch_chunk', 'batch_item'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY own ON %I USING (account_id = acting_account())', tenant);
  END LOOP;
END
$$;

-- Shared lists: names behind a link and votes on them. Comments, hosts and further names are gone.
--
-- A version with this file was the first to be published, so no node of a version before it reads what is dropped.

-- One line for everybody with the link.
ALTER TABLE share ADD COLUMN message text;
-- Kept by every ballot, so that reading a list counts no votes.
ALTER TABLE share ADD COLUMN voters integer NOT NULL DEFAULT 0;
ALTER TABLE share_item ADD COLUMN up integer NOT NULL DEFAULT 0;
ALTER TABLE share_item ADD COLUMN down integer NOT NULL DEFAULT 0;

-- The owner of the tables sees the rows of one account at a time, too.
DO $$
DECLARE
  one uuid;
BEGIN
  FOR one IN SELECT DISTINCT account_id FROM share_link LOOP
    PERFORM set_config('namewright.account_id', one::text, true);
    UPDATE share_item item SET up = counted.up, down = counted.down
      FROM (
        SELECT share_id, item_id, count(*) FILTER (WHERE vote.up) AS up, count(*) FILTER (WHERE NOT vote.up) AS down
        FROM share_vote vote WHERE account_id = one GROUP BY share_id, item_id) counted
      WHERE item.account_id = one AND item.share_id = counted.share_id AND item.id = counted.item_id;
    UPDATE share SET voters = counted.voters
      FROM (
        SELECT share_id, count(DISTINCT voter) AS voters FROM share_vote
        WHERE account_id = one GROUP BY share_id) counted
      WHERE share.account_id = one AND share.id = counted.share_id;
  END LOOP;
END
$$;

-- squawk-ignore ban-drop-table
DROP TABLE share_comment;
-- squawk-ignore ban-drop-column
ALTER TABLE share DROP COLUMN host, DROP COLUMN description, DROP COLUMN options, DROP COLUMN batches;
-- squawk-ignore ban-drop-column
ALTER TABLE share DROP COLUMN searching_until, DROP COLUMN picked, DROP COLUMN version;
-- squawk-ignore ban-drop-column
ALTER TABLE share_item DROP COLUMN batch;

-- Marks of commits that a node had written to its disk while the primary was down. No node does that any more, and a node
-- does not start while it has such files.
-- squawk-ignore ban-drop-table
DROP TABLE deferred_commit;

-- The status of the last check beside `available`: what is not available may be taken, reserved or restricted. Null until
-- the next check.
ALTER TABLE watched_domain ADD COLUMN status text;

-- Items of a batch that ended without a single name are counted apart.
--
-- They are part of `done`, because processes of the version before count and add up only that: what they read of a batch
-- stays whole while both versions run, and what they write counts as it did.
ALTER TABLE batch_chunk ADD COLUMN short integer NOT NULL DEFAULT 0;

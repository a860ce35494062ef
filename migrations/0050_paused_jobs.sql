-- A job that its item disabled when it was gone is enabled when the item returns. One that a person disabled stays disabled.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE discovered_items ADD COLUMN pauses_job boolean NOT NULL DEFAULT false;
-- Until now each of them was enabled.
UPDATE discovered_items SET pauses_job = true WHERE status = 'gone' AND scrape_job_id IS NOT NULL;

-- Gather jobs of the source type `deployed_versions`, whose releases are the versions that a scrape job has had.
SET LOCAL lock_timeout = '500ms';

-- The scrape job can't be deleted as long as it is used.
ALTER TABLE gather_jobs
  ADD COLUMN scrape_job_id bigint,
  ADD CONSTRAINT gather_jobs_scrape_job_id_fkey
    FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id);
-- Looked up with each version that is recorded.
CREATE INDEX gather_jobs_by_scrape_job ON gather_jobs (organization_id, scrape_job_id) WHERE scrape_job_id IS NOT NULL;

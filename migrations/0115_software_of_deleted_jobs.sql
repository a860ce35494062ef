-- The foreign key of `software` was checked for each row, by a plan that PostgreSQL had made while there were few scrape jobs:
-- ten thousand at once took a hundred times as long as a thousand. A trigger adds the rows with their jobs, so another one can
-- delete them.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE software DROP CONSTRAINT software_organization_id_scrape_job_id_fkey;

CREATE FUNCTION delete_software() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Planned for the number of rows that are deleted now: a plan that is kept was made for the first ones.
  EXECUTE 'DELETE FROM software USING changed
    WHERE software.organization_id = changed.organization_id AND software.scrape_job_id = changed.id';
  RETURN NULL;
END
$$;
CREATE TRIGGER scrape_jobs_delete_software AFTER DELETE ON scrape_jobs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION delete_software();

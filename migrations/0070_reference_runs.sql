-- An agent fetches reference data once a day. Its runs are those of organization 1.
SET LOCAL lock_timeout = '500ms';

-- Sources are due rows.
ALTER TABLE reference_sources
  ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY,
  -- Where an agent fetches the data. Null: nothing is fetched.
  ADD COLUMN url text,
  -- Of what was fetched last, whether it was loaded or waits.
  ADD COLUMN validators jsonb,
  ADD COLUMN last_success_at timestamptz,
  ADD COLUMN due_at timestamptz NOT NULL DEFAULT 'infinity',
  ADD COLUMN wanted bigint NOT NULL DEFAULT 0,
  ADD COLUMN done bigint NOT NULL DEFAULT 0,
  ADD COLUMN lease_token uuid,
  ADD COLUMN lease_until timestamptz,
  ADD COLUMN attempts integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT reference_sources_by_id UNIQUE (organization_id, id);

-- A load that would change many results, until an operator confirms it or a later load replaces it.
CREATE TABLE waiting_reference_loads (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1),
  source_name text NOT NULL,
  as_of timestamptz NOT NULL,
  -- `[{"organization_id", "changed", "total"}]`.
  changes jsonb NOT NULL,
  -- Since when loads have been waiting.
  since timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, source_name),
  FOREIGN KEY (organization_id, source_name) REFERENCES reference_sources (organization_id, name) ON DELETE CASCADE
);
CREATE TABLE waiting_reference_parts (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1),
  source_name text NOT NULL,
  sequence integer NOT NULL,
  items jsonb NOT NULL,
  PRIMARY KEY (organization_id, source_name, sequence),
  FOREIGN KEY (organization_id, source_name) REFERENCES waiting_reference_loads (organization_id, source_name)
    ON DELETE CASCADE
);

CREATE OR REPLACE FUNCTION runs_set_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.job_id := coalesce(
    NEW.gather_job_id, NEW.scrape_job_id, NEW.helm_sync_job_id, NEW.discovery_job_id, NEW.reference_source_id);
  RETURN NEW;
END
$$;
-- The new conditions only add values, so rows needn't be checked again.
ALTER TABLE runs
  ADD COLUMN reference_source_id bigint,
  DROP CONSTRAINT runs_kind_check,
  ADD CONSTRAINT runs_kind_check CHECK (kind IN ('gather', 'scrape', 'helm_sync', 'discovery', 'reference')) NOT VALID,
  DROP CONSTRAINT runs_check,
  ADD CONSTRAINT runs_check CHECK (
    num_nonnulls(gather_job_id, scrape_job_id, helm_sync_job_id, discovery_job_id, reference_source_id) = 1) NOT VALID,
  ADD CONSTRAINT runs_reference_source_fkey FOREIGN KEY (organization_id, reference_source_id)
    REFERENCES reference_sources (organization_id, id) ON DELETE CASCADE NOT VALID;
CREATE UNIQUE INDEX runs_open_by_reference_source ON runs (organization_id, reference_source_id)
  WHERE reference_source_id IS NOT NULL AND status IN ('queued', 'in_progress');
CREATE INDEX runs_by_reference_source ON runs (organization_id, reference_source_id, id)
  WHERE reference_source_id IS NOT NULL;

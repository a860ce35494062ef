-- Served by: 0.1.0 and later
-- Reference data: when the support of release lines ends, known vulnerabilities, and which of them are exploited. It's
-- the same for all organizations, so it belongs to organization 1.

-- An agent fetches each source once a day. Its runs belong to organization 1.
CREATE TABLE reference_sources (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL CHECK (name IN ('end_of_life', 'epss', 'known_exploited', 'vulnerabilities')),
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- The URL from which an agent fetches the data. Null: nothing is fetched.
  url text,
  -- Validators of the last fetched response, even if its data still waits for confirmation.
  validators jsonb,
  -- The time at which the data was known to be current. Null before the first load.
  as_of timestamptz,
  loaded_at timestamptz,
  last_success_at timestamptz,
  last_outcome text NOT NULL DEFAULT 'none' CHECK (last_outcome IN ('none', 'succeeded', 'failed')),
  last_outcome_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- As in `discovery_jobs`.
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  PRIMARY KEY (organization_id, name),
  CONSTRAINT reference_sources_by_id UNIQUE (organization_id, id),
  CHECK ((as_of IS NULL) = (loaded_at IS NULL)),
  CHECK (num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0 THEN 0 ELSE 3 END)
);
INSERT INTO reference_sources (name) VALUES ('end_of_life'), ('vulnerabilities'), ('known_exploited'), ('epss');
SELECT add_job_kind('reference', 'reference_sources', 'reference_source_id');

-- Loads that would change many results. They wait until an operator confirms them or a later load replaces them.
CREATE TABLE waiting_reference_loads (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1),
  source_name text NOT NULL,
  as_of timestamptz NOT NULL,
  -- `[{"organization_id", "changed", "total"}]`.
  changes jsonb NOT NULL,
  -- The time since which loads have been waiting.
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

CREATE TABLE lifecycle_products (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  label text NOT NULL,
  -- Normalized like the package URLs of gather jobs.
  purls text[] NOT NULL,
  -- The artifacts that the catalog maps to the product: their package URLs, or their source types and names.
  catalog_keys text[] NOT NULL,
  -- Hash of all stored data about the product and its releases.
  fingerprint text NOT NULL,
  PRIMARY KEY (organization_id, name)
);
CREATE INDEX lifecycle_products_by_purl ON lifecycle_products USING gin ((purls || catalog_keys));

CREATE TABLE lifecycle_releases (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1),
  product_name text NOT NULL,
  -- The newest release line is 1.
  position integer NOT NULL,
  name text NOT NULL,
  is_lts boolean NOT NULL,
  released_on text,
  latest_version text,
  -- The end of each phase: the last day, or `true` or `false` if the only known fact is whether the phase has ended.
  -- Null: unknown.
  active_support text,
  end_of_life text,
  extended_support text,
  PRIMARY KEY (organization_id, product_name, position),
  FOREIGN KEY (organization_id, product_name) REFERENCES lifecycle_products (organization_id, name) ON DELETE CASCADE
);

-- Packages that gather jobs and the catalog refer to. Packages without records aren't stored, because it isn't known
-- whether they have no vulnerability or don't exist.
CREATE TABLE vulnerability_packages (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  -- Ecosystem and name, such as `Go/k8s.io/kubernetes`. All major versions of a Go module share one key.
  key text NOT NULL,
  -- Normalized like the package URLs of gather jobs.
  purls text[] NOT NULL,
  -- The artifacts that the catalog maps to the package: their package URLs, or their source types and names.
  catalog_keys text[] NOT NULL,
  -- Hash of all records of the package.
  fingerprint text NOT NULL,
  record_count integer NOT NULL,
  -- The time at which the records were known to be current.
  as_of timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key)
);
CREATE INDEX vulnerability_packages_by_purl ON vulnerability_packages USING gin (purls);
CREATE INDEX vulnerability_packages_by_catalog_key ON vulnerability_packages USING gin (catalog_keys);

CREATE TABLE vulnerabilities (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1),
  package_key text NOT NULL,
  -- The ID of the OSV record.
  id text NOT NULL,
  aliases text[] NOT NULL,
  is_withdrawn boolean NOT NULL,
  -- Null: not rated.
  severity text CHECK (severity IN ('low', 'moderate', 'high', 'critical')),
  summary text NOT NULL,
  -- The record's statements about this package: names, ranges, and versions.
  affected jsonb NOT NULL,
  fingerprint text NOT NULL,
  -- The time of the last modification according to the record. An agent fetches only records that were modified after
  -- it. Null: unknown.
  modified_at timestamptz,
  -- The time of the first publication according to the record. Null: unknown.
  published_at timestamptz,
  PRIMARY KEY (organization_id, package_key, id),
  FOREIGN KEY (organization_id, package_key) REFERENCES vulnerability_packages (organization_id, key) ON DELETE CASCADE
);

-- Finds the packages of a vulnerability by the IDs of its records and their aliases.
CREATE INDEX vulnerabilities_by_name ON vulnerabilities USING gin ((array_append(aliases, id)));

-- The last fetch of each package. Packages whose records haven't been fetched for the longest time come first, so that
-- every package is fetched eventually.
CREATE TABLE package_fetches (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  -- Includes packages without records and skipped packages.
  package_key text NOT NULL,
  -- The start of the newest run that reached the package.
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, package_key)
);

-- CISA's catalog of vulnerabilities that are known to be exploited. The catalog is small, so all of it is stored.
CREATE TABLE known_exploited_vulnerabilities (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  cve text NOT NULL,
  -- The day on which the vulnerability was added to the catalog.
  added_on date NOT NULL,
  PRIMARY KEY (organization_id, cve)
);

-- EPSS scores of the CVE IDs in `vulnerabilities`. Other scores aren't stored, because almost all scores change daily.
-- The free space lets an update stay on its page.
CREATE TABLE epss_scores (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  cve text NOT NULL,
  score double precision NOT NULL CHECK (score BETWEEN 0 AND 1),
  percentile double precision NOT NULL CHECK (percentile BETWEEN 0 AND 1),
  PRIMARY KEY (organization_id, cve)
) WITH (fillfactor = 50);

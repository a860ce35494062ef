-- Reference data: when the support of release lines ends. The same for all organizations, so it belongs to organization 1.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE reference_sources (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL CHECK (name IN ('end_of_life')),
  -- When the data was known to be current. Null before the first load.
  as_of timestamptz,
  loaded_at timestamptz,
  PRIMARY KEY (organization_id, name),
  CHECK ((as_of IS NULL) = (loaded_at IS NULL))
);
INSERT INTO reference_sources (name) VALUES ('end_of_life');

CREATE TABLE lifecycle_products (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  label text NOT NULL,
  -- Normalized, as those of gather jobs.
  purls text[] NOT NULL,
  -- Of the artifacts that the catalog maps to the product: their package URLs, or their source types and names.
  catalog_keys text[] NOT NULL,
  -- Of all that is stored of the product and its releases.
  fingerprint text NOT NULL,
  PRIMARY KEY (organization_id, name)
);
CREATE INDEX lifecycle_products_by_purl ON lifecycle_products USING gin ((purls || catalog_keys));

CREATE TABLE lifecycle_releases (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1),
  product_name text NOT NULL,
  -- The newest is 1.
  position integer NOT NULL,
  name text NOT NULL,
  is_lts boolean NOT NULL,
  released_on text,
  latest_version text,
  -- Ends of phases: the last day, or whether the phase has ended on an unknown day. Null: unknown.
  active_support text,
  end_of_life text,
  extended_support text,
  PRIMARY KEY (organization_id, product_name, position),
  FOREIGN KEY (organization_id, product_name) REFERENCES lifecycle_products (organization_id, name) ON DELETE CASCADE
);

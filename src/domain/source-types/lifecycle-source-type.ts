import type { SourceType } from './source-type.ts';

/**
 * Source type for software without a list of releases, such as a managed service. Only the lifecycle of the
 * software is known. It comes from the reference data, where the artifact name is the name of the product, so
 * no agent is required.
 */
export const lifecycleSourceType: SourceType = {
  label: 'Lifecycle only',
  about:
    'A managed service or other software without a list of releases. End-of-life rules use its support dates.',
  shape: 'the name of a product on endoflife.date',
  example: 'amazon-rds-postgresql',
  defaultVersionScheme: 'auto',
  isImage: false,
  needsGit: false,
  options: [],
  normalizeArtifactName(text) {
    const product = text
      .trim()
      .replace(/^(?:https:\/\/)?endoflife\.date\//i, '')
      .replace(/\/$/, '')
      .toLowerCase();
    return product !== 'none' && product.length <= 100 && /^[a-z0-9][a-z0-9._+-]*$/.test(product)
      ? { ok: true, artifactName: product }
      : {
          ok: false,
          message: 'must be the name of a product on endoflife.date, such as amazon-rds-postgresql',
        };
  },
  recognize: () => null,
  purlOf: () => null,
};

import { normalizeJsonAddress } from '../artifacts/json-address.ts';
import type { SourceType } from './source-type.ts';

export const textSourceType: SourceType = {
  label: 'Text over HTTP',
  about: 'Any URL that returns text with a version in each line, or a page that a pattern can search.',
  shape: 'document URL',
  example: 'https://dl.k8s.io/release/stable.txt',
  defaultVersionScheme: 'auto',
  isImage: false,
  needsGit: false,
  options: [
    {
      name: 'version_regex',
      label: 'Version pattern',
      description:
        'Applied to each line (of a web page, to each element). The version is the first capture group, or the whole match. Leave empty if each line is a version.',
      isRequired: false,
      field: { kind: 'pattern', placeholder: 'app-([0-9.]+)\\.tar\\.gz' },
    },
  ],
  normalizeArtifactName: normalizeJsonAddress,
  recognize: ({ address }) => (address.endsWith('.txt') ? 'ending' : null),
  purlOf: () => null,
};

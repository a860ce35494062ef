import { normalizeJsonAddress } from '../artifacts/json-address.ts';
import type { SourceType } from './source-type.ts';

export const jsonSourceType: SourceType = {
  label: 'JSON over HTTP',
  about: 'Any URL that returns JSON containing versions.',
  shape: 'document URL',
  example: 'https://nodejs.org/dist/index.json',
  defaultVersionScheme: 'auto',
  isImage: false,
  needsGit: false,
  options: [
    {
      name: 'version_path',
      label: 'Version path',
      description:
        'A string (.tag_name), a list of strings (.versions), or a string in each item (.releases[*].name). [?lts] instead of [*] selects the items in which lts is set.',
      isRequired: true,
      field: { kind: 'text', placeholder: '.[*].version' },
    },
    {
      name: 'date_path',
      label: 'Date path',
      description:
        'Must point into the same items. Without dates, Pacekeeper counts days from when it first saw a release.',
      isRequired: false,
      field: { kind: 'text', placeholder: '.[*].date' },
    },
    {
      name: 'version_regex',
      label: 'Version pattern',
      description: 'The version is the first capture group, or the whole match if there is none.',
      isRequired: false,
      field: { kind: 'pattern', placeholder: '^v(.+)$' },
    },
  ],
  normalizeArtifactName: normalizeJsonAddress,
  // Any URL can return JSON, but a URL that ends in `.json` rarely belongs to another type.
  recognize: ({ address }) => (address.endsWith('.json') ? 'ending' : null),
  purlOf: () => null,
};

/** Software in the sample data. All of it is fictional. */
export interface SampleSoftware {
  name: string;
  /** Releases, newest first: the version, its age in days, and its notes. */
  releases: readonly (readonly [version: string, ageDays: number, notes?: string])[];
  /** Places of the software: the service, its owner, and the versions in integration, staging, and production. */
  places: readonly (readonly [service: string, owner: string, versions: readonly [string, string, string]])[];
}

export const sampleEnvironments = ['integration', 'staging', 'production'] as const;

const fixes = 'Fixes a crash on start, and improves the performance of large requests.';

export const sampleSoftware: readonly SampleSoftware[] = [
  {
    name: 'sample-database',
    releases: [
      ['17.2', 12, '## Security\n\n- Checks the permissions of views again after a role changes.'],
      ['17.1', 61, fixes],
      [
        '17.0',
        130,
        '## Breaking changes\n\n- Removes the setting `old_checksums`. Rewrite the data directory with the new checksums first.\n\n## Features\n\n- Incremental backups.',
      ],
      ['16.6', 20, '## Security\n\n- Checks the permissions of views again after a role changes.'],
      ['16.4', 160, fixes],
      ['16.0', 430, '## Features\n\n- Replicas can decode changes.'],
      ['15.10', 25, fixes],
      ['15.3', 520, fixes],
    ],
    places: [
      ['checkout', 'shop', ['17.2', '17.1', '16.4']],
      ['catalog', 'shop', ['17.1', '16.4', '16.4']],
      ['ledger', 'payments', ['16.6', '16.0', '15.3']],
    ],
  },
  {
    name: 'sample-queue',
    releases: [
      ['4.1.0', 9, '## Features\n\n- Consumers can share a partition.'],
      [
        '4.0.0',
        95,
        '## Breaking changes\n\n- Removes the old consensus mode. Migrate to the built-in one before you upgrade.\n- Clients older than 2.1 can no longer connect.',
      ],
      ['3.9.1', 80, fixes],
      ['3.9.0', 180, '## Features\n\n- Tiered storage.'],
      ['3.7.0', 320, fixes],
      ['3.4.0', 690, fixes],
    ],
    places: [
      ['payments', 'payments', ['4.0.0', '3.9.0', '3.4.0']],
      ['shipping', 'logistics', ['3.9.1', '3.7.0', '3.7.0']],
    ],
  },
  {
    name: 'sample-proxy',
    releases: [
      ['1.29.2', 6, fixes],
      ['1.29.1', 34, '## Security\n\n- Limits the memory of a single connection.'],
      ['1.28.0', 150, fixes],
      ['1.26.2', 390, fixes],
    ],
    places: [
      ['gateway', 'platform', ['1.29.2', '1.29.2', '1.29.1']],
      ['images', 'shop', ['1.29.1', '1.28.0', '1.26.2']],
    ],
  },
  {
    name: 'sample-login',
    releases: [
      ['26.4.0', 15, '## Deprecations\n\n- The old account page will be removed in 27.0.'],
      ['26.2.0', 100, fixes],
      [
        '26.0.0',
        210,
        '## Breaking changes\n\n- Sessions are stored in the database by default. People must log in again after the upgrade.',
      ],
      ['25.0.6', 260, fixes],
    ],
    places: [['accounts', 'platform', ['26.4.0', '26.2.0', '25.0.6']]],
  },
  {
    name: 'sample-metrics',
    releases: [
      ['3.6.0', 72, fixes],
      ['3.5.0', 110, '## Features\n\n- Native histograms are stable.'],
      ['3.0.0', 240, '## Breaking changes\n\n- Regular expressions match line breaks.'],
      ['2.55.1', 280, fixes],
    ],
    places: [['monitoring', 'platform', ['3.6.0', '3.6.0', '3.5.0']]],
  },
];

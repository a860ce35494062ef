import type { Schemas } from '../../../../src/generated/client-api.ts';
import { DeployedVersions } from '../../components/deployed-versions.tsx';
import type { Column } from '../../components/list/index.ts';
import { SeverityMark } from '../../components/severity.tsx';
import {
  countPlaces,
  describeDeployed,
  describeJump,
  formatFirstLabels,
  formatLabels,
  listPlaceStatuses,
  listReasons,
} from '../../components/upgrade-text.ts';
import { VersionText } from '../../components/version-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type Upgrade = Schemas['Upgrade'];

export const upgradeColumns: readonly Column<Upgrade>[] = [
  {
    header: 'Upgrade',
    cell: (upgrade) => (
      <TwoLines
        second={
          Object.keys(upgrade.labels).length > 0 && (
            <span title={formatLabels(upgrade.labels)}>{formatFirstLabels(upgrade.labels)}</span>
          )
        }
      >
        {upgrade.gather_job.name}
      </TwoLines>
    ),
    csv: ({ gather_job }) => gather_job.name,
    sort: 'name',
    width: 'minmax(0, 1.5fr)',
  },
  {
    header: 'Severity',
    cell: ({ severity }) => (severity === null ? '—' : <SeverityMark severity={severity} />),
    csv: ({ severity }) => severity,
    sort: 'worst',
    sortsHighestFirst: true,
    width: '5.2rem',
  },
  {
    header: 'Deployed',
    cell: (upgrade) => <DeployedVersions upgrade={upgrade} />,
    csv: describeDeployed,
    width: 'minmax(0, 1fr)',
  },
  {
    header: 'Upgrade to',
    cell: ({ target_version }) => <VersionText version={target_version} />,
    csv: ({ target_version }) => target_version,
    width: 'minmax(5rem, 0.7fr)',
  },
  { header: 'Step', cell: describeJump, csv: ({ jump }) => jump, width: '5.4rem', secondary: true },
  {
    header: 'Places',
    cell: (upgrade) => {
      const [first, second] = listPlaceStatuses(upgrade);
      return <TwoLines second={second ?? null}>{first}</TwoLines>;
    },
    csv: countPlaces,
    sort: 'places',
    width: 'minmax(0, 1.25fr)',
  },
  { header: 'All places', cell: () => null, csv: ({ places }) => places.total, csvOnly: true },
  {
    header: 'Behind since',
    cell: ({ behind_since, behind_since_is_first_seen }) => (
      <TwoLines second={behind_since_is_first_seen ? 'or earlier' : null}>
        <RelativeTime at={behind_since} none="—" />
      </TwoLines>
    ),
    csv: ({ behind_since }) => behind_since,
    sort: 'behind_since',
    width: '7.4rem',
    secondary: true,
  },
  {
    header: 'Reasons',
    cell: () => null,
    csv: ({ reasons }) => listReasons(reasons),
    csvOnly: true,
  },
];

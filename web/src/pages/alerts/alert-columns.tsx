import type { Schemas } from '../../../../src/generated/client-api.ts';
import { AlertStatus, formatResolution } from '../../components/alert-status.tsx';
import { formatLagOrSupport } from '../../components/behind-by.ts';
import { NameWithLabels } from '../../components/label-list.tsx';
import type { Column } from '../../components/list/index.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Alert = Schemas['Alert'];

const name: Column<Alert> = {
  header: 'Monitor',
  cell: ({ alert_config_name, labels }) => <NameWithLabels name={alert_config_name} labels={labels} />,
  csv: ({ alert_config_name }) => alert_config_name,
  width: 'minmax(0, 2fr)',
};
const severity: Column<Alert> = {
  header: 'Severity',
  cell: (alert) => <SeverityMark severity={alert.severity} />,
  csv: (alert) => alert.severity,
  sort: 'worst',
  sortsHighestFirst: true,
  width: '5.2rem',
};
const versions: readonly Column<Alert>[] = [
  {
    header: 'Deployed',
    cell: ({ discovered_version }) => <VersionText version={discovered_version} />,
    csv: ({ discovered_version }) => discovered_version,
    width: 'minmax(4.4rem, 0.6fr)',
  },
  {
    header: 'Latest',
    cell: ({ latest_version }) => <VersionText version={latest_version} />,
    csv: ({ latest_version }) => latest_version,
    width: 'minmax(4.4rem, 0.6fr)',
  },
];
const behind: Column<Alert> = {
  header: 'Behind',
  cell: formatLagOrSupport,
  csv: ({ behind_by }) => behind_by,
  width: '7.6rem',
};
const labels: Column<Alert> = {
  header: 'Labels',
  cell: () => null,
  csv: ({ labels }) => labels,
  csvOnly: true,
};
const opened: Column<Alert> = {
  header: 'Opened',
  cell: ({ created_at }) => <RelativeTime at={created_at} />,
  csv: ({ created_at }) => created_at,
  sort: 'created_at',
  width: '7rem',
  secondary: true,
};

const status: Column<Alert> = {
  header: 'Status',
  cell: (alert) => <AlertStatus alert={alert} withAssignee />,
  csv: (alert) => alert.status,
  width: 'minmax(8.7rem, 1.2fr)',
};

const assignee: Column<Alert> = {
  header: 'Assignee',
  cell: () => null,
  csv: (alert) => alert.assignee?.name,
  csvOnly: true,
};

export const openAlertListColumns: readonly Column<Alert>[] = [
  name,
  severity,
  ...versions,
  { ...behind, sort: 'behind_by' },
  status,
  assignee,
  labels,
  opened,
];

export const resolvedAlertListColumns: readonly Column<Alert>[] = [
  name,
  { ...severity, sort: 'severity', sortsHighestFirst: false },
  ...versions,
  {
    header: 'Resolution',
    cell: (alert) => formatResolution(alert),
    csv: ({ resolution }) => resolution,
    width: 'minmax(0, 1.3fr)',
  },
  labels,
  { ...opened, wideOnly: true },
  {
    header: 'Resolved',
    cell: ({ resolved_at }) => <RelativeTime at={resolved_at} />,
    csv: ({ resolved_at }) => resolved_at,
    sort: 'resolved_at',
    width: '8rem',
  },
];

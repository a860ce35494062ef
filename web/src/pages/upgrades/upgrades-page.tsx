import { Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { LabelFilter } from '../../components/label-filter.tsx';
import { ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { severityOptions } from '../../components/severity.tsx';
import { upgradeStatusLabels } from '../../components/upgrade-text.ts';
import { ChoiceTabs } from '../../ui/choice-tabs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { describeNothingToDo } from '../today/describe-operations.ts';
import { UpgradeMenu } from './upgrade-actions.tsx';
import { upgradeColumns } from './upgrade-columns.tsx';

type Upgrade = Schemas['Upgrade'];
type Status = Schemas['UpgradeStatus'];

const filters = ['q', 'severity', 'gather_job_id', 'label'] as const;
const statuses = Object.keys(upgradeStatusLabels) as Status[];
const isStatus = (text: string | undefined): text is Status => statuses.some((status) => status === text);

const rowLink = ({ id }: Upgrade) => ({ to: '/upgrades/$id', params: { id } }) as const;
const rowActions = (upgrade: Upgrade) => <UpgradeMenu upgrade={upgrade} />;

/** Lists software and the version that its places should run, most urgent first. */
export default function UpgradesPage() {
  const search = useList('listUpgrades', { from: '/shell/upgrades', filters, enabled: false }).search;
  const status = isStatus(search['status']) ? search['status'] : 'needs_action';
  const list = useList('listUpgrades', {
    from: '/shell/upgrades',
    filters,
    sort: 'worst',
    fixed: { status },
  });
  const overall = useApi('listUpgrades', {
    query: {
      limit: 1,
      ...Object.fromEntries(filters.flatMap((name) => (search[name] ? [[name, search[name]]] : []))),
    },
  }).data;
  const counts = overall?.counts;
  const jobs = useApi('getOverview').data?.jobs;
  const isAllowed = useHasRole('member');
  return (
    <>
      <PageHeader
        title="Upgrades"
        about="What to upgrade, and where. One release that concerns many places is one row, which counts the places with an open alert."
      />
      <ChoiceTabs
        label="Status"
        data={statuses.map((value) => ({
          value,
          label: counts
            ? `${upgradeStatusLabels[value]} ${formatCount(counts[value])}`
            : upgradeStatusLabels[value],
        }))}
        value={status}
        onChange={(value) => list.setSearch({ status: value === 'needs_action' ? undefined : value })}
      />
      <ListFilters
        list={list}
        search="Search by name or version"
        filters={[{ name: 'severity', label: 'Severity', options: severityOptions }]}
      >
        <LabelFilter list={list} />
      </ListFilters>
      {overall?.is_complete === false && (
        <Text size="sm" mb="sm">
          Not all places are included: the limit is 6,000 places with open alerts. Filter by label to see
          others.
        </Text>
      )}
      <ResourceList
        list={list}
        columns={upgradeColumns}
        name="upgrades"
        rowLink={rowLink}
        rowActions={isAllowed ? rowActions : undefined}
        empty={
          <EmptyState
            title={
              status === 'needs_action'
                ? counts && jobs
                  ? describeNothingToDo(counts, jobs)
                  : 'No upgrades'
                : `No upgrades: ${upgradeStatusLabels[status]}`
            }
            action={<TextLink to="/software">View software</TextLink>}
          >
            {counts && counts.unknown > 0
              ? 'An upgrade appears here when an alert opens. The state of some software is unknown.'
              : 'An upgrade appears here when an alert opens.'}
          </EmptyState>
        }
      />
    </>
  );
}

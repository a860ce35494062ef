import { Menu, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { GatherJobPicker, ScrapeJobPicker } from '../../components/entity-picker.tsx';
import { activeOptions } from '../../components/job-status.tsx';
import { LabelFilter } from '../../components/label-filter.tsx';
import { LatestVersion } from '../../components/latest-version.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark, severityOptions } from '../../components/severity.tsx';
import { stateOptions } from '../../components/state-labels.ts';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { MenuLink } from '../../ui/menu-link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { formatConfigLag, useRuleTypes } from '../software/fleet-columns.tsx';
import { useAlertConfigActions } from './use-alert-config-actions.ts';

type AlertConfig = Schemas['AlertConfig'];

function columnsOf(ruleTypes: ReturnType<typeof useRuleTypes>): readonly Column<AlertConfig>[] {
  return [
    {
      header: 'Name',
      cell: ({ name }) => name,
      sort: 'name',
      csv: ({ name }) => name,
      width: 'minmax(12rem, 2.5fr)',
    },
    {
      header: 'State',
      cell: (config) => <ConfigState config={config} isStacked isBesideSeverity />,
      csv: ({ state, state_reason }) => state_reason ?? state,
      width: 'minmax(7.5rem, 1fr)',
    },
    {
      header: 'Severity',
      cell: ({ severity }) => (severity === null ? '' : <SeverityMark severity={severity} />),
      csv: ({ severity }) => severity,
      width: '5.5rem',
    },
    {
      header: 'Deployed',
      cell: ({ deployed_version }) => <VersionText version={deployed_version} none="unknown" />,
      csv: ({ deployed_version }) => deployed_version,
    },
    {
      header: 'Latest',
      cell: (config) => <LatestVersion config={config} />,
      csv: ({ latest_version }) => latest_version,
    },
    {
      header: 'In your mirror',
      cell: () => null,
      csv: ({ mirror }) => mirror?.version ?? null,
      csvOnly: true,
    },
    {
      header: 'Behind',
      cell: (config) => formatConfigLag(config, ruleTypes),
      csv: ({ behind_by }) => behind_by,
      width: '8rem',
    },
    {
      header: 'Rule',
      cell: ({ rule }) => rule.name,
      csv: ({ rule }) => rule.name,
      secondary: true,
    },
    {
      header: 'Last evaluated',
      cell: ({ last_evaluated_at }) => <RelativeTime at={last_evaluated_at} none="never" />,
      sort: 'last_evaluated_at',
      csv: ({ last_evaluated_at }) => last_evaluated_at,
      width: '8rem',
      wideOnly: true,
    },
  ];
}

export default function AlertConfigsPage() {
  const list = useList('listAlertConfigs', {
    from: '/shell/alert-configs',
    filters: ['q', 'state', 'severity', 'is_active', 'rule_id', 'scrape_job_id', 'gather_job_id', 'label'],
    sort: '-created_at',
  });
  const rules = useApi('listRulesDropdown');
  const ruleTypes = useRuleTypes();
  const columns = useMemo(() => columnsOf(ruleTypes), [ruleTypes]);
  const canWrite = useHasRole('member');
  const create = canWrite && (
    <ButtonLink to="/alert-configs/new" leftSection={<IconPlus size={16} />}>
      New monitor
    </ButtonLink>
  );
  const { scrape_job_id, gather_job_id } = list.search;
  return (
    <>
      <PageHeader
        title="Monitors"
        about="Each monitor compares a deployed version with upstream releases and alerts when it falls too far behind."
        actions={create}
      />
      <ListFilters
        list={list}
        search="Search by name"
        filters={[
          { name: 'state', label: 'State', options: stateOptions },
          { name: 'severity', label: 'Severity', options: severityOptions },
          {
            name: 'rule_id',
            label: 'Rule',
            options: (rules.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          },
          { name: 'is_active', label: 'Enabled', options: activeOptions },
        ]}
      >
        <ScrapeJobPicker
          aria-label="Version tracker"
          placeholder="Version tracker"
          value={scrape_job_id ? Number(scrape_job_id) : null}
          onChange={(id) => list.setSearch({ scrape_job_id: id === null ? undefined : String(id) })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear version tracker' }}
          w={190}
        />
        <GatherJobPicker
          aria-label="Upstream source"
          placeholder="Upstream source"
          value={gather_job_id ? Number(gather_job_id) : null}
          onChange={(id) => list.setSearch({ gather_job_id: id === null ? undefined : String(id) })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear upstream source' }}
          w={190}
        />
        <LabelFilter list={list} />
      </ListFilters>
      <ResourceList
        list={list}
        columns={columns}
        name="monitors"
        rowLink={({ id }) => resourceLink('alert_config', id)}
        rowActions={canWrite ? (config) => <ConfigMenu config={config} /> : undefined}
        empty={
          <EmptyState
            title="No monitors yet"
            action={canWrite && <ButtonLink to="/connect">Connect</ButtonLink>}
          >
            <Text span inherit>
              A monitor combines a version tracker (what you run), an upstream source (what's available), and
              a rule (how far behind is too far).
            </Text>
          </EmptyState>
        }
      />
    </>
  );
}

function ConfigMenu({ config }: { config: AlertConfig }) {
  const { toggle, confirmDelete } = useAlertConfigActions(config);
  return (
    <RowMenu label={`Actions for ${config.name}`}>
      {config.active_alert_id !== null && (
        <MenuLink {...resourceLink('alert', config.active_alert_id)}>View alert</MenuLink>
      )}
      <Menu.Item onClick={() => void toggle()}>{config.is_active ? 'Disable' : 'Enable'}</Menu.Item>
      <Menu.Item c="var(--severity-critical)" onClick={() => void confirmDelete()}>
        Delete
      </Menu.Item>
    </RowMenu>
  );
}

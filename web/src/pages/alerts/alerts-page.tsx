import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { AlertActionsMenu } from '../../components/alert-actions-menu.tsx';
import { openStatusOptions } from '../../components/alert-labels.ts';
import { LabelFilter } from '../../components/label-filter.tsx';
import {
  ListFilters,
  ResourceList,
  type SelectFilter,
  useList,
  useSelection,
} from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { severityOptions } from '../../components/severity.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { openAlertListColumns, resolvedAlertListColumns } from './alert-columns.tsx';
import { rememberAlertList } from './alert-neighbors.tsx';
import { BulkBar } from './bulk-bar.tsx';

const filters = [
  'q',
  'severity',
  'rule_id',
  'label',
  'alert_config_id',
  'scrape_job_id',
  'gather_job_id',
] as const;

export default function AlertsPage() {
  const { view } = useSearch({ from: '/shell/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const isResolved = view === 'resolved';
  return (
    <>
      <PageHeader
        title="Alerts"
        about="Deployed versions that are further behind than their rules allow."
        actions={
          <SegmentedControl
            aria-label="Alert status"
            data={[
              { value: 'open', label: 'Open' },
              { value: 'resolved', label: 'Resolved' },
            ]}
            value={isResolved ? 'resolved' : 'open'}
            onChange={(value) =>
              // Clear the sort order and the status filter, because the other list doesn't have the same
              // ones.
              void navigate({
                to: '.',
                search: (before) => ({
                  ...before,
                  view: value === 'resolved' ? value : undefined,
                  sort: undefined,
                  status: undefined,
                }),
              })
            }
          />
        }
      />
      {isResolved ? <ResolvedAlerts /> : <OpenAlerts />}
    </>
  );
}

/** Returns the filters that both lists share. */
function useFilters(): SelectFilter[] {
  const rules = useApi('listRulesDropdown');
  return [
    { name: 'severity', label: 'Severity', options: severityOptions },
    {
      name: 'rule_id',
      label: 'Rule',
      options: (rules.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    },
  ];
}

const rowLink = ({ id }: { id: number }) => resourceLink('alert', id);
const rowActions = (alert: Schemas['Alert']) => <AlertActionsMenu alert={alert} />;

function OpenAlerts() {
  const list = useList('listAlerts', {
    from: '/shell/alerts',
    filters: [...filters, 'status', 'assignee_id'],
    sort: 'worst',
  });
  const { query } = list;
  useEffect(() => rememberAlertList(query), [query]);
  const members = useApi('listOrgMembersDropdown');
  const selection = useSelection(list);
  const isAllowed = useHasRole('member');
  return (
    <>
      <ListFilters
        list={list}
        search="Search by name"
        filters={[
          ...useFilters(),
          { name: 'status', label: 'Status', options: openStatusOptions },
          {
            name: 'assignee_id',
            label: 'Assignee',
            options: (members.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          },
        ]}
      >
        <LabelFilter list={list} />
      </ListFilters>
      <ResourceList
        list={list}
        columns={openAlertListColumns}
        name="open alerts"
        rowLink={rowLink}
        selection={isAllowed ? selection : undefined}
        rowActions={isAllowed ? rowActions : undefined}
        empty={
          <EmptyState title="No open alerts" action={<TextLink to="/software">View software</TextLink>}>
            An alert opens when a deployed version falls too far behind.
          </EmptyState>
        }
      />
      {selection.ids.size > 0 && <BulkBar selection={selection} list={list} />}
    </>
  );
}

function ResolvedAlerts() {
  const list = useList('listResolvedAlerts', { from: '/shell/alerts', filters, sort: '-resolved_at' });
  return (
    <>
      <ListFilters list={list} search="Search by name" filters={useFilters()}>
        <LabelFilter list={list} />
      </ListFilters>
      <ResourceList
        list={list}
        columns={resolvedAlertListColumns}
        name="resolved alerts"
        rowLink={rowLink}
        empty={
          <EmptyState title="No resolved alerts">
            Alerts resolve when the deployed version catches up, or manually. Resolved alerts are kept for the
            configured retention period.
          </EmptyState>
        }
      />
    </>
  );
}

import { Anchor, Select, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { LabelFilter } from '../../components/label-filter.tsx';
import { NameWithLabels } from '../../components/label-list.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { SourceReleaseNotes } from '../../components/release-notes/release-notes-view.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { formatLastDay } from '../../components/support/describe-support.ts';
import { SupportEndTime } from '../../components/support/support-end-time.tsx';
import {
  describeAllPlaces,
  describeDeployed,
  describeJump,
  listReasons,
  upgradeName,
  upgradeStatusLabels,
} from '../../components/upgrade-text.ts';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { countOf } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { UpgradeButtons } from './upgrade-actions.tsx';

type Upgrade = Schemas['Upgrade'];
type Place = Schemas['UpgradePlace'];

const parent = { to: '/upgrades', title: 'Upgrades' } as const;

export default function UpgradePage() {
  const { id } = useParams({ from: '/shell/upgrades/$id' });
  const upgrade = useApi('getUpgrade', { path: { upgrade_id: id } });
  return (
    <Loaded query={upgrade} parent={parent}>
      {(found) => <UpgradeDetail upgrade={found} />}
    </Loaded>
  );
}

const columns: readonly Column<Place>[] = [
  {
    header: 'Place',
    cell: ({ scrape_job, labels }) => <NameWithLabels name={scrape_job.name} labels={labels} />,
    csv: ({ scrape_job }) => scrape_job.name,
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Severity',
    cell: ({ alert }) => (alert === null ? '—' : <SeverityMark severity={alert.severity} />),
    csv: ({ alert }) => alert?.severity,
    width: '5.2rem',
  },
  {
    header: 'Deployed',
    cell: ({ deployed_version }) => <VersionText version={deployed_version} />,
    csv: ({ deployed_version }) => deployed_version,
    width: 'minmax(4.4rem, 0.6fr)',
  },
  {
    header: 'Status',
    cell: ({ status }) => upgradeStatusLabels[status],
    csv: ({ status }) => status,
    width: '7.6rem',
  },
  {
    header: 'Reason',
    cell: ({ alert }) => (alert === null ? '—' : listReasons([alert.reason])),
    csv: ({ alert }) => alert?.reason,
    width: 'minmax(0, 1.5fr)',
    secondary: true,
  },
  { header: 'Rule', cell: ({ rule }) => rule.name, csv: ({ rule }) => rule.name, secondary: true },
  {
    header: 'Assignee',
    cell: ({ alert }) => alert?.assignee?.name ?? '—',
    csv: ({ alert }) => alert?.assignee?.name,
    width: 'minmax(0, 0.7fr)',
    secondary: true,
  },
];

const rowLink = ({ scrape_job, alert }: Place) =>
  alert === null ? resourceLink('software', scrape_job.id) : resourceLink('alert', alert.id);

function UpgradeDetail({ upgrade }: { upgrade: Upgrade }) {
  const list = useList('listUpgradePlaces', {
    from: '/shell/upgrades/$id',
    filters: ['label'],
    path: { upgrade_id: upgrade.id },
  });
  const isAllowed = useHasRole('member');
  return (
    <>
      <PageHeader
        title={upgradeName(upgrade)}
        parent={parent}
        about={aboutOf(upgrade)}
        actions={isAllowed && <UpgradeButtons upgrade={upgrade} />}
      />
      <Section title="Status">
        <Facts
          facts={[
            ['Status', upgradeStatusLabels[upgrade.status]],
            upgrade.severity !== null && [
              'Severity',
              <SeverityMark key="severity" severity={upgrade.severity} />,
            ],
            ['Upgrade to', <Target key="target" upgrade={upgrade} />],
            upgrade.jump !== null && ['Step', describeJump(upgrade)],
            ['Places', describeAllPlaces(upgrade)],
            upgrade.reasons.length > 0 && ['Reasons', listReasons(upgrade.reasons)],
            upgrade.behind_since !== null && [
              'Behind since',
              <>
                <RelativeTime at={upgrade.behind_since} />
                {upgrade.behind_since_is_first_seen && ' or earlier: the release has no date'}
              </>,
            ],
            upgrade.ends_at !== null && [
              'Last day of support',
              <>
                {formatLastDay(upgrade.ends_at)}, <SupportEndTime at={upgrade.ends_at} />
              </>,
            ],
            [
              'Upstream source',
              <TextLink key="source" {...resourceLink('gather_job', upgrade.gather_job.id)}>
                {upgrade.gather_job.name}
              </TextLink>,
            ],
          ]}
        />
      </Section>
      <Section title="Places">
        <ListFilters list={list} filters={[]}>
          <LabelFilter list={list} />
        </ListFilters>
        <ResourceList
          list={list}
          columns={columns}
          name="places"
          rowLink={rowLink}
          empty={
            <EmptyState title="No places">
              A newer version is suggested, or the software was removed.
            </EmptyState>
          }
        />
      </Section>
      <Section id="release-notes" title="Release notes">
        <TargetNotes upgrade={upgrade} />
      </Section>
    </>
  );
}

/**
 * Release notes from a deployed version to the suggested one. The places can run several versions, so the user selects one
 * of them. The most frequent one comes first.
 */
function TargetNotes({ upgrade: { gather_job, target_version, deployed_versions } }: { upgrade: Upgrade }) {
  const versions = deployed_versions.flatMap(({ version, place_count }) =>
    version === null || version === target_version ? [] : [{ version, place_count }],
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const from = versions.find(({ version }) => version === chosen) ?? versions[0];
  if (target_version === null || from === undefined)
    return (
      <Text size="sm" c="var(--text-muted)">
        {target_version === null
          ? 'Pacekeeper knows no version that would resolve the alerts.'
          : deployed_versions.some(({ version }) => version === null)
            ? "The deployed version isn't known."
            : 'As far as Pacekeeper knows, all places run the suggested version.'}
      </Text>
    );
  return (
    <>
      {versions.length > 1 && (
        <Select
          label="From"
          w={280}
          maw="100%"
          mb="sm"
          allowDeselect={false}
          data={versions.map(({ version, place_count }) => ({
            value: version,
            label: `${version} (${countOf(place_count, 'place')})`,
          }))}
          value={from.version}
          onChange={setChosen}
        />
      )}
      <SourceReleaseNotes gatherJobId={gather_job.id} from={from.version} to={target_version} />
    </>
  );
}

/** Describes the versions that are deployed at the places that `describeDeployed` describes. */
function aboutOf(upgrade: Upgrade): string {
  const { total, needs_action, planned, snoozed } = upgrade.places;
  const alerting = needs_action + planned + snoozed;
  const where = alerting > 0 && alerting < total ? 'Deployed where an alert is open' : 'Deployed';
  const deployed = describeDeployed(upgrade);
  return upgrade.target_version === null
    ? `${where}: ${deployed}. Pacekeeper knows no version that would resolve the alerts.`
    : `${where}: ${deployed}.`;
}

function Target({ upgrade: { target_version, release_url } }: { upgrade: Upgrade }) {
  if (release_url === null || target_version === null) return <VersionText version={target_version} />;
  return (
    <Anchor href={release_url} target="_blank" rel="noopener noreferrer">
      <VersionText version={target_version} />
    </Anchor>
  );
}

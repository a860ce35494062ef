import { Button, Menu, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { extractorLabels } from '../../../../src/domain/discovery/extractor-labels.ts';
import { labelSourceTexts } from '../../../../src/domain/discovery/label-sources.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import {
  type Column,
  ListFilters,
  ResourceList,
  useList,
  useSelection,
} from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ElapsedTime, RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { AcceptDialog } from './accept-dialog.tsx';
import type { Accepting } from './accept-in-batches.ts';
import { CorrectDialog } from './correct-dialog.tsx';
import { GroupedItems } from './grouped-items.tsx';
import { SelectedItemsBar } from './selected-items.tsx';
import { SourceText } from './source-text.tsx';

type Item = Schemas['DiscoveredItem'];

const statusLabels: Readonly<Record<Item['status'], string>> = {
  new: 'New',
  accepted: 'Accepted',
  ignored: 'Ignored',
  gone: 'Gone',
  replaced: 'Replaced',
};
const options = <Key extends string>(labels: Readonly<Record<Key, string>>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }));

/** @param withLine False for cluster objects, which have no line numbers. */
const artifactColumn = (withLine: boolean): Column<Item> => ({
  header: 'Artifact',
  cell: ({ artifact, place: { file, line } }) => (
    <TwoLines second={file && (withLine ? `${file}:${line}` : file)}>{artifact.name}</TwoLines>
  ),
  sort: 'artifact',
  csv: ({ artifact }) => artifact.name,
  width: 'minmax(0, 2fr)',
});

const repositoryColumn: Column<Item> = {
  header: 'Repository',
  cell: ({ discovery_job_id, discovery_job_name }) => (
    <TextLink {...resourceLink('discovery_job', discovery_job_id)} inherit>
      {discovery_job_name}
    </TextLink>
  ),
  csv: ({ discovery_job_name }) => discovery_job_name,
  width: 'minmax(0, 1.4fr)',
};

const otherColumns: readonly Column<Item>[] = [
  { header: 'File', cell: ({ place }) => place.file, csv: ({ place }) => place.file, csvOnly: true },
  {
    header: 'Version',
    cell: (item) => declaredVersion(item),
    csv: ({ version }) => version,
    width: 'minmax(0, 1fr)',
  },
  {
    header: 'Version by digest',
    cell: ({ matched_version }) => matched_version,
    csv: ({ matched_version }) => matched_version,
    csvOnly: true,
  },
  { header: 'Digest', cell: ({ digest }) => digest, csv: ({ digest }) => digest, csvOnly: true },
  {
    header: 'Running version',
    cell: ({ live_version }) => live_version,
    csv: ({ live_version }) => live_version,
    csvOnly: true,
  },
  {
    header: 'Environment',
    cell: ({ labels, label_sources }) =>
      labels['environment'] !== undefined && (
        <TwoLines second={sourceOfLabel(label_sources['environment'])}>{labels['environment']}</TwoLines>
      ),
    csv: ({ labels }) => labels['environment'],
    width: '7.5rem',
    secondary: true,
  },
  {
    header: 'Source of releases',
    cell: (item) => <SourceText {...item} />,
    csv: ({ proposal }) => proposal.artifact_name,
    width: 'minmax(0, 1.6fr)',
  },
  {
    header: 'Status',
    cell: (item) => <StatusText item={item} />,
    csv: ({ status }) => status,
    width: '6.5rem',
  },
];

/**
 * Shows the matched version if there is one, otherwise the version in the file. A second line shows the running version
 * if the cluster reports a different one, or the age of the first newer release.
 */
function declaredVersion(item: Item) {
  const { version, matched_version, match, digest } = item;
  const about = aboutVersion(item);
  const shown = matched_version ?? version;
  // Return null for an empty cell, because narrow screens would otherwise show its header without a value.
  if (shown === null && digest === null && !about) return null;
  return (
    <TwoLines second={about}>
      <VersionText version={shown} match={match} none={digest === null ? '' : 'unknown'} />
    </TwoLines>
  );
}

function aboutVersion({ version, match, live_version, live_match, live_since, newer_since }: Item) {
  if (live_since !== null)
    return (
      <>
        running <VersionText version={live_version} match={live_match} /> for{' '}
        <ElapsedTime since={live_since} />
      </>
    );
  if (match !== null) return version !== null && `tag ${version}`;
  return (
    newer_since !== null && (
      <>
        newer release <RelativeTime at={newer_since} />
      </>
    )
  );
}

/**
 * Returns the source of a guessed label. Undefined for a label that a person or a rule set, because that label is
 * certain.
 */
function sourceOfLabel(source: Schemas['LabelSource'] | undefined): string | undefined {
  return source === undefined || source === 'set' || source === 'rule' ? undefined : labelSourceTexts[source];
}

/** True if an accepted item has no alert configuration, so its version isn't compared with releases. */
const isUnmonitored = ({ status, alert_config_id }: Item) =>
  status === 'accepted' && alert_config_id === null;
const hasSource = ({ proposal }: Item) => proposal.source_type !== null;

function StatusText({ item }: { item: Item }) {
  const { status, scrape_job_id, ignore_reason, ignored_by, missing_since } = item;
  if (status === 'accepted' && scrape_job_id !== null) {
    return (
      <TwoLines second={aboutReading(item) || aboutMonitor(item)}>
        <TextLink {...resourceLink('scrape_job', scrape_job_id)} inherit underline="always">
          {missing_since === null ? 'Accepted' : 'Missing'}
        </TextLink>
      </TwoLines>
    );
  }
  return (
    <TwoLines
      second={
        aboutReading(item) ||
        (status === 'new' && aboutNew(item)) ||
        (ignored_by === 'rule' && 'by a rule') ||
        (ignored_by === 'duplicate' && 'duplicate')
      }
    >
      <span title={ignore_reason ?? undefined}>{statusLabels[status]}</span>
    </TwoLines>
  );
}

/** Returns the reason that a new item requires a decision. */
function aboutNew({ renovate_ignore, replaces }: Item) {
  if (renovate_ignore !== null) return <span title={renovate_ignore}>ignored by {renovate_ignore}</span>;
  return replaces !== null && 'replaces another item';
}

/** Returns the reason why an accepted item has no monitor, or why its monitor isn't up to date. */
function aboutMonitor(item: Item) {
  if (item.not_monitored) return 'not monitored';
  if (item.monitor_problem !== null) return <span title={item.monitor_problem}>{item.monitor_problem}</span>;
  if (!isUnmonitored(item)) return null;
  return hasSource(item) ? 'no rule' : 'no source';
}

/** Shows how long the current version of an item has been unreadable or unknown, and why. */
function aboutReading({ unread_since, unread_message, version_unknown_since }: Item) {
  if (unread_since !== null)
    return (
      <span title={unread_message ?? undefined}>
        not read since <RelativeTime at={unread_since} />: {unread_message}
      </span>
    );
  return (
    version_unknown_since !== null && (
      <>
        version unknown since <RelativeTime at={version_unknown_since} />
      </>
    )
  );
}

const columnsOf: Readonly<Record<Schemas['DiscoveryJob']['kind'], readonly Column<Item>[]>> = {
  git_repository: [artifactColumn(true), ...otherColumns],
  repository_group: [repositoryColumn, artifactColumn(true), ...otherColumns],
  kubernetes_cluster: [artifactColumn(false), ...otherColumns],
  container_host: [artifactColumn(false), ...otherColumns],
};

/** Lists the items of a discovery job, with their actions. */
export function ItemsSection({ job }: { job: Schemas['DiscoveryJob'] }) {
  const { group_by } = useSearch({ from: '/shell/discovery/$id' });
  const list = useList('listDiscoveredItems', {
    from: '/shell/discovery/$id',
    filters: ['q', 'status', 'extractor', 'environment', 'artifact'],
    sort: 'artifact',
    fixed: {
      ...(job.kind === 'repository_group' ? { group_job_id: job.id } : { discovery_job_id: job.id }),
      ...(group_by === 'artifact' && { group_by }),
    },
  });
  const selection = useSelection(list);
  const { ids } = selection;
  const [accepting, setAccepting] = useState<Accepting | null>(null);
  const [corrected, setCorrected] = useState<Item | null>(null);
  const [isCorrecting, correcting] = useDisclosure(false);
  const ignore = useAction('ignoreDiscoveredItems');
  const restore = useAction('restoreDiscoveredItems');
  const monitor = useAction('monitorDiscoveredItems', {
    done: ({ monitored }) =>
      monitored.length > 0 ? 'Monitor created' : 'A monitor is created once the source and a rule are known',
  });
  const isAllowed = useHasRole('member');
  const { status, sort: _sort, group_by: _group_by, ...filter } = list.query;
  const empty = <NothingFound job={job} />;
  return (
    <Section
      title="Found versions"
      actions={
        isAllowed &&
        job.item_counts.new > 0 &&
        (status === undefined || status === 'new') && (
          <Button size="xs" onClick={() => setAccepting({ filter })}>
            {list.isFiltered ? 'Accept all matching' : 'Accept all'}
          </Button>
        )
      }
    >
      <ListFilters
        list={list}
        search="Search by artifact, path, or name"
        filters={[
          { name: 'status', label: 'Status', options: options(statusLabels) },
          { name: 'extractor', label: 'Kind of file', options: options(extractorLabels) },
        ]}
      >
        <SegmentedControl
          aria-label="Group by"
          data={[
            { value: '', label: 'Places' },
            { value: 'artifact', label: 'Artifacts' },
          ]}
          value={group_by ?? ''}
          onChange={(value) => list.setSearch({ group_by: value })}
        />
      </ListFilters>
      {group_by === 'artifact' ? (
        <GroupedItems
          list={list}
          filter={filter}
          accept={isAllowed ? setAccepting : undefined}
          empty={empty}
        />
      ) : (
        <ResourceList
          list={list}
          columns={columnsOf[job.kind]}
          name="found versions"
          selection={isAllowed ? selection : undefined}
          rowActions={
            isAllowed
              ? (item) => (
                  <RowMenu label={`Actions for ${item.name}`}>
                    {item.status === 'new' && (
                      <Menu.Item onClick={() => setAccepting({ item_ids: [item.id] })}>Accept</Menu.Item>
                    )}
                    {item.not_monitored && (
                      <Menu.Item onClick={() => monitor.mutate({ body: { item_ids: [item.id] } })}>
                        Monitor again
                      </Menu.Item>
                    )}
                    {isUnmonitored(item) && !item.not_monitored && hasSource(item) && (
                      <Menu.Item onClick={() => setAccepting({ item_ids: [item.id] })}>Monitor</Menu.Item>
                    )}
                    {item.status !== 'gone' && item.status !== 'replaced' && (
                      <Menu.Item
                        onClick={() => {
                          setCorrected(item);
                          correcting.open();
                        }}
                      >
                        Correct
                      </Menu.Item>
                    )}
                    <Menu.Item onClick={() => list.setSearch({ artifact: item.artifact.key })}>
                      Show all of this artifact
                    </Menu.Item>
                    {item.status === 'new' && (
                      <Menu.Item onClick={() => ignore.mutate({ body: { item_ids: [item.id] } })}>
                        Ignore
                      </Menu.Item>
                    )}
                    {item.status === 'ignored' && (
                      <Menu.Item onClick={() => restore.mutate({ body: { item_ids: [item.id] } })}>
                        Restore
                      </Menu.Item>
                    )}
                  </RowMenu>
                )
              : undefined
          }
          empty={empty}
        />
      )}
      {ids.size > 0 && (
        <SelectedItemsBar selection={selection} accept={() => setAccepting({ item_ids: [...ids] })} />
      )}
      {accepting && (
        <AcceptDialog
          accepting={accepting}
          defaultRuleId={job.default_rule_id}
          close={(isDone) => {
            setAccepting(null);
            if (isDone) selection.set(new Set());
          }}
        />
      )}
      {corrected && <CorrectDialog item={corrected} isOpen={isCorrecting} close={correcting.close} />}
    </Section>
  );
}

const nothingFound: Readonly<Record<Schemas['DiscoveryJob']['kind'], string>> = {
  git_repository: 'Pacekeeper found no versions that it can read in this repository.',
  repository_group: 'Pacekeeper found no versions that it can read in these repositories.',
  kubernetes_cluster: 'Pacekeeper found no versions that it can read in this cluster.',
  container_host: 'No containers run on the host.',
};

function NothingFound({ job }: { job: Schemas['DiscoveryJob'] }) {
  const isScanned = job.last_run?.status === 'succeeded';
  return (
    <EmptyState title={isScanned ? 'Nothing found' : 'Not scanned yet'}>
      {isScanned ? nothingFound[job.kind] : 'Versions appear here after the first successful scan.'}
    </EmptyState>
  );
}

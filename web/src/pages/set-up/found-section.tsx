import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { Section } from '../../ui/facts.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { acceptAll, withEveryRole } from '../discovery/accept-in-batches.ts';
import { AcceptPlan, OtherRolesField } from '../discovery/accept-plan.tsx';
import { itemsOf } from './found-items.ts';
import { type FoundArtifact, groupByArtifact } from './group-by-artifact.ts';

type Item = Schemas['DiscoveredItem'];

const shownArtifacts = 8;
const shownVersions = 3;

const columns: readonly Column<FoundArtifact>[] = [
  {
    header: 'Artifact',
    cell: ({ name }) => <span title={name}>{name}</span>,
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Versions',
    cell: ({ versions }) =>
      // Don't render an empty element, because narrow screens would show its header.
      versions.length > 0 && (
        <span title={versions.join(', ')}>
          {versions.slice(0, shownVersions).join(', ')}
          {versions.length > shownVersions && ` and ${formatCount(versions.length - shownVersions)} more`}
        </span>
      ),
    width: 'minmax(0, 1.4fr)',
  },
  { header: 'Places', cell: ({ places }) => formatCount(places), width: '4.5rem', align: 'end' },
];

/**
 * Shows the versions that a scan found, with those of CI files and builds listed separately, and tracks them.
 * Tracking creates no monitors, so that alerts can be counted before a rule is chosen.
 */
export function FoundSection({
  job,
  found,
  trackedCount,
}: {
  job: Schemas['DiscoveryJob'];
  /** New items. */
  found: readonly Item[];
  trackedCount: number;
}) {
  const [withAllRoles, setAllRoles] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const deployed = found.filter(({ role }) => role === 'deployed');
  const others = found.filter(({ role }) => role !== 'deployed');
  const everyDeployed = { filter: itemsOf(job) };
  const selected = withAllRoles ? withEveryRole(everyDeployed) : everyDeployed;
  const body = { ...selected, rule_id: null };
  const plan = useQuery({
    queryKey: ['acceptDiscoveredItems', body, job.item_counts],
    queryFn: () => api.call('acceptDiscoveredItems', { body: { ...body, dry_run: true } }),
    enabled: found.length > 0,
  });
  async function track(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await acceptAll(selected, { rule_id: null });
      await queryClient.invalidateQueries();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }
  const all = (
    <TextLink {...resourceLink('discovery_job', job.id)} size="sm">
      View all found versions
    </TextLink>
  );
  if (found.length === 0)
    return (
      <Section title="Found versions" actions={all}>
        <Text size="sm">
          {trackedCount === 0
            ? 'Nothing was found. View the files without versions on the Discovery page.'
            : `${countOf(trackedCount, 'version')} tracked.`}
        </Text>
      </Section>
    );
  const count = plan.data === undefined ? 0 : plan.data.accepted_count + plan.data.remaining_count;
  // The remaining versions are listed only if some of them can be tracked, too.
  if (trackedCount > 0 && count === 0 && !withAllRoles)
    return (
      <Section title="Found versions" actions={all}>
        <Text size="sm">
          {countOf(trackedCount, 'version')} tracked, {formatCount(found.length)} not.
        </Text>
      </Section>
    );
  return (
    <Section title="Found versions" actions={all}>
      <Stack gap="sm">
        {deployed.length > 0 && <Artifacts title="Deployed software" items={deployed} />}
        {others.length > 0 && <Artifacts title="CI files and builds" items={others} isFolded />}
        <OtherRolesField
          count={plan.data?.other_role_count ?? 0}
          checked={withAllRoles}
          onChange={setAllRoles}
        />
        {plan.data && <AcceptPlan result={plan.data} />}
        {(error ?? plan.error) !== null && <ErrorNotice error={error ?? plan.error} />}
        <div>
          <Button loading={isBusy} disabled={count === 0} onClick={() => void track()}>
            {count === 0 ? 'Track versions' : `Track ${countOf(count, 'version')}`}
          </Button>
          <Text size="sm" c="var(--text-muted)" mt={6}>
            Pacekeeper then reads their releases. No alert opens and no message is sent before you start
            monitoring.
          </Text>
        </div>
      </Stack>
    </Section>
  );
}

function Artifacts({
  title,
  items,
  isFolded = false,
}: {
  title: string;
  items: readonly Item[];
  isFolded?: boolean;
}) {
  const artifacts = groupByArtifact(items);
  const hidden = artifacts.length - shownArtifacts;
  const heading = `${title}: ${countOf(items.length, 'version')} of ${countOf(artifacts.length, 'artifact')}`;
  const content = (
    <>
      <RowsTable
        items={artifacts.slice(0, shownArtifacts)}
        columns={columns}
        name={`artifacts of ${title.toLowerCase()}`}
        rowKey={({ key }) => key}
      />
      {hidden > 0 && (
        <Text size="sm" c="var(--text-muted)" mt={4}>
          And {formatCount(hidden)} more
        </Text>
      )}
    </>
  );
  return isFolded ? (
    <details>
      <summary>
        <Text span size="sm" fw={600}>
          {heading}
        </Text>
      </summary>
      {content}
    </details>
  ) : (
    <div>
      <Text size="sm" fw={600}>
        {heading}
      </Text>
      {content}
    </div>
  );
}

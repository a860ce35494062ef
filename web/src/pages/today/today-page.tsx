import { Button, NativeSelect, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/facts.tsx';
import { countOf, formatCount, formatWeekdayTime } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { describeNothingToDo } from './describe-operations.ts';
import { OperationsLine } from './operations-line.tsx';
import { SetUpSteps } from './set-up-steps.tsx';
import { SupportEnds } from './support-ends.tsx';
import { TeamBars } from './team-bars.tsx';
import classes from './today-page.module.css';
import { UpgradeList } from './upgrade-list.tsx';
import { useVisit } from './visit.ts';
import { WeekAhead } from './week-ahead.tsx';

type Overview = Schemas['Overview'];
type Today = Schemas['Today'];

const refetchMs = 60_000;

/** Shows what changed and what a team must do. If nothing is monitored yet, it shows only the setup. */
export function TodayPage() {
  const overview = useApi('getOverview', undefined, { refetchMs });
  const { visit, change } = useVisit();
  const [period, setPeriod] = useState<{ value: string; since: string | null }>({
    value: visit.since === null ? '7' : 'visit',
    since: visit.since,
  });
  const { label } = visit;
  const query = {
    ...(period.since !== null && { since: period.since }),
    ...(label !== null && { label }),
  };
  const today = useApi('getToday', { query }, { refetchMs, keepPrevious: true });
  const seenAt = today.data?.generated_at;
  useEffect(() => {
    if (seenAt !== undefined && document.visibilityState === 'visible') change({ seenAt });
  }, [seenAt, change]);
  const isMonitored = (overview.data?.alert_configs.total ?? 0) > 0;
  const selectTeam = (next: string | null) => change({ label: next });
  return (
    <>
      <PageHeader
        title="Today"
        about={
          isMonitored && today.data !== undefined
            ? `What changed since ${formatWeekdayTime(new Date(today.data.since))}, and what needs action.`
            : 'What changed, and what needs action.'
        }
        actions={
          isMonitored && (
            <>
              <TeamSelect today={today.data} label={label} select={selectTeam} />
              <NativeSelect
                aria-label="Period"
                w={172}
                data={visit.since === null ? periods.slice(1) : periods}
                value={period.value}
                onChange={({ currentTarget: { value } }) => {
                  const start = Date.now() - Number(value) * 86_400_000;
                  setPeriod({
                    value,
                    since: value === 'visit' ? visit.since : new Date(start).toISOString(),
                  });
                }}
              />
            </>
          )
        }
      />
      <Loaded query={overview}>
        {(found) => (
          <>
            {hasAnything(found) && <OperationsLine overview={found} />}
            <SetUpSteps overview={found} />
            {isMonitored && (
              <Loaded query={today}>
                {(changes) => (
                  <div className={classes.columns}>
                    <div>
                      <Upgrades
                        today={changes}
                        jobs={found.jobs}
                        label={label}
                        showAll={() => selectTeam(null)}
                      />
                    </div>
                    <div>
                      <WeekAhead label={label} />
                      <SupportEnds
                        label={label}
                        opened={changes.changes.known_vulnerabilities}
                        sources={found.reference_sources}
                      />
                      <TeamBars today={changes} label={label} select={selectTeam} />
                    </div>
                  </div>
                )}
              </Loaded>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** True if there's a job or a channel. Without them, nothing can fail. */
function hasAnything({ jobs, channels }: Overview): boolean {
  return channels.total > 0 || Object.values(jobs).some(({ total }) => total > 0);
}

const periods = [
  { value: 'visit', label: 'Since my last visit' },
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
];

/**
 * Field that selects the team. The selected team stays an option even if nothing has its label any longer.
 */
function TeamSelect({
  today,
  label,
  select,
}: {
  today: Today | undefined;
  label: string | null;
  select: (label: string | null) => void;
}) {
  const teams = (today?.owners ?? []).flatMap(({ owner }) =>
    owner === null ? [] : [{ value: `${today!.owner_label}=${owner}`, label: owner }],
  );
  if (label !== null && !teams.some(({ value }) => value === label))
    teams.unshift({ value: label, label: label.slice(label.indexOf('=') + 1) });
  if (teams.length === 0) return null;
  return (
    <NativeSelect
      aria-label="Team"
      w={172}
      data={[{ value: '', label: 'All teams' }, ...teams]}
      value={label ?? ''}
      onChange={({ currentTarget: { value } }) => select(value || null)}
    />
  );
}

function Upgrades({
  today,
  jobs,
  label,
  showAll,
}: {
  today: Today;
  jobs: Overview['jobs'];
  label: string | null;
  showAll: () => void;
}) {
  const { items, counts, since } = today;
  const changed = items.filter(({ changed_at }) => changed_at >= since);
  const others = items.slice(changed.length);
  const ofTeam = label === null ? {} : { label };
  const all = (
    <TextLink to="/upgrades" search={ofTeam} size="sm">
      {counts.needs_action === 1 ? '1 upgrade' : `All ${formatCount(counts.needs_action)} upgrades`}
    </TextLink>
  );
  return (
    <>
      <Section title="New" actions={items.length > 0 && others.length === 0 && all}>
        <Changes today={today} ofTeam={ofTeam} />
        {changed.length > 0 && <UpgradeList items={changed} today={today} label={label} />}
      </Section>
      {others.length > 0 && (
        <Section title="Still needs action" actions={all}>
          <UpgradeList items={others} today={today} label={label} />
        </Section>
      )}
      {items.length === 0 && <NothingToDo counts={counts} jobs={jobs} label={label} showAll={showAll} />}
      {!today.is_complete && (
        <Text size="sm" mb="sm">
          Not all places are included: the limit is 6,000 places with open alerts. Select a team to see
          others.
        </Text>
      )}
    </>
  );
}

/** Counts the changes in one line. Counts of zero are omitted. */
function Changes({ today: { changes }, ofTeam }: { today: Today; ofTeam: { label?: string } }) {
  const { opened, escalated, end_of_life, resolved } = changes;
  const resolvedText = `${resolved === 1_000 ? '1,000 or more alerts' : countOf(resolved, 'alert')} resolved`;
  if (opened + escalated + resolved === 0)
    return (
      <Text size="sm" c="var(--text-muted)">
        No alerts opened, escalated, or resolved.
      </Text>
    );
  return (
    <p className={classes.changes}>
      {opened > 0 && (
        <TextLink to="/alerts" search={ofTeam} size="sm">
          {countOf(opened, 'alert')} opened
        </TextLink>
      )}
      {escalated > 0 && <span>{formatCount(escalated)} escalated</span>}
      {end_of_life > 0 && <span>{formatCount(end_of_life)} about the end of support</span>}
      {resolved > 0 && (
        <TextLink to="/alerts" search={{ view: 'resolved', ...ofTeam }} size="sm">
          {resolvedText}
        </TextLink>
      )}
    </p>
  );
}

/** Distinguishes between nothing to do, unknown states, and no data at all. */
function NothingToDo({
  counts,
  jobs,
  label,
  showAll,
}: {
  counts: Today['counts'];
  jobs: Overview['jobs'];
  label: string | null;
  showAll: () => void;
}) {
  const { planned, snoozed, unknown, ok } = counts;
  const known = planned + snoozed + ok;
  const hasNothing = known + unknown === 0;
  if (hasNothing && label !== null)
    return (
      <EmptyState
        title={`Nothing has the label ${label}`}
        action={
          <Button variant="default" onClick={showAll}>
            Show all teams
          </Button>
        }
      >
        The label was changed, or the software was removed.
      </EmptyState>
    );
  if (known === 0)
    return (
      <EmptyState title="No data yet" action={<ButtonLink to="/alert-configs">View monitors</ButtonLink>}>
        {hasNothing
          ? 'Your monitors are disabled, or they were never evaluated.'
          : `The state of ${countOf(unknown, 'upgrade')} is unknown.`}
      </EmptyState>
    );
  return (
    <EmptyState
      title={describeNothingToDo(counts, jobs)}
      action={<TextLink to="/upgrades">View upgrades</TextLink>}
    >
      {[
        planned > 0 && `${formatCount(planned)} planned`,
        snoozed > 0 && `${formatCount(snoozed)} snoozed`,
        unknown > 0 && `${formatCount(unknown)} unknown`,
        ok > 0 && `${formatCount(ok)} OK`,
      ]
        .filter(Boolean)
        .join(', ')}
    </EmptyState>
  );
}

import { Group, Text } from '@mantine/core';
import { linkOptions } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { jobKinds } from '../../components/job-kind.ts';
import { JobLink } from '../../components/job-link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../ui/facts.tsx';
import { countOf } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AlertsByDay } from './alerts-by-day.tsx';
import { ChangedVersions } from './changed-versions.tsx';
import { Figure, Figures } from './figure.tsx';
import { FreshnessFigure } from './freshness-figure.tsx';
import classes from './overview-page.module.css';
import { ReferenceData } from './reference-data.tsx';
import { RunAgainButton } from './run-again.tsx';
import { SetUpSteps } from './set-up-invitation.tsx';
import { TopAlerts } from './top-alerts.tsx';
import { UpcomingCrossings } from './upcoming-crossings.tsx';

type Overview = Schemas['Overview'];

export function OverviewPage() {
  const overview = useApi('getOverview', undefined, { refetchMs: 60_000 });
  return (
    <>
      <PageHeader title="Overview" about="How far your deployed versions are behind upstream." />
      <Loaded query={overview}>
        {(found) => (
          <>
            <SetUpSteps overview={found} />
            {found.alert_configs.total > 0 && <Standing overview={found} />}
            {hasAnything(found) && <Machinery overview={found} />}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Rounds a time down to the minute, so that the query stays the same and its result can be cached. */
function minuteOf(at: string, offsetMs: number): string {
  return new Date(Math.floor((Date.parse(at) + offsetMs) / 60_000) * 60_000).toISOString();
}

/** True if there's a job or a channel. Without them, all figures would be zero. */
function hasAnything({ jobs, channels }: Overview): boolean {
  return channels.total > 0 || Object.values(jobs).some(({ total }) => total > 0);
}

/** Shows the number of open alerts by severity, and the other states of the monitors. */
function Standing({ overview }: { overview: Overview }) {
  const { alerts, alert_configs } = overview;
  const { by_state } = alert_configs;
  const unacknowledged = (severity: Schemas['AlertSeverity']) => {
    const count = alerts.unacknowledged_by_severity[severity];
    if (alerts.by_severity[severity] === 0) return 'none open';
    return count === 0 ? 'all acknowledged' : `${count.toLocaleString('en')} unacknowledged`;
  };
  return (
    <>
      <Figures label="Open alerts and monitors">
        <Figure
          title="Critical"
          count={alerts.by_severity.critical}
          tone="critical"
          note={unacknowledged('critical')}
          link={linkOptions({ to: '/alerts', search: { severity: 'critical' } })}
        />
        <Figure
          title="High"
          count={alerts.by_severity.high}
          tone="high"
          note={unacknowledged('high')}
          link={linkOptions({ to: '/alerts', search: { severity: 'high' } })}
        />
        <Figure
          title="Moderate"
          count={alerts.by_severity.moderate}
          tone="moderate"
          note={unacknowledged('moderate')}
          link={linkOptions({ to: '/alerts', search: { severity: 'moderate' } })}
        />
        <Figure
          title="OK"
          count={by_state.ok}
          tone="ok"
          note={`of ${countOf(alert_configs.total, 'monitor')}${alert_configs.warnings === 0 ? '' : `, ${alert_configs.warnings.toLocaleString('en')} with warnings`}`}
          link={linkOptions({ to: '/alert-configs', search: { state: 'ok' } })}
        />
        <Figure
          title="Stale"
          count={by_state.stale}
          tone="moderate"
          note="no recent data"
          link={linkOptions({ to: '/alert-configs', search: { state: 'stale' } })}
        />
        <Figure
          title="No data"
          count={by_state.no_data}
          tone="muted"
          note="not compared yet"
          link={linkOptions({ to: '/alert-configs', search: { state: 'no_data' } })}
        />
      </Figures>
      <div className={classes.columns}>
        <div>
          <Section
            title="Most behind"
            actions={
              <TextLink to="/alerts" size="sm">
                {alerts.open === 1 ? '1 open alert' : `All ${alerts.open.toLocaleString('en')} open alerts`}
              </TextLink>
            }
          >
            <TopAlerts alerts={overview.top_alerts} open={alerts.open} />
          </Section>
        </div>
        <div>
          <Section
            title="Changed in the last 24 hours"
            actions={
              <TextLink to="/versions" size="sm">
                Version history
              </TextLink>
            }
          >
            <ChangedVersions since={minuteOf(overview.generated_at, -86_400_000)} />
          </Section>
          <Section title="Alerts in the last 30 days">
            <AlertsByDay days={overview.alerts_by_day} />
          </Section>
          <Section
            title="Upcoming crossings"
            actions={
              <TextLink to="/forecast" size="sm">
                Forecast
              </TextLink>
            }
          >
            <UpcomingCrossings />
          </Section>
        </div>
      </div>
    </>
  );
}

/** Shows the health of the agents, jobs, and notifications. */
function Machinery({ overview }: { overview: Overview }) {
  const { agents, channels, deliveries_24h, jobs, failed_jobs, next_runs } = overview;
  const failing = Object.values(jobs).reduce((sum, { failed }) => sum + failed, 0);
  const running = Object.values(jobs).reduce((sum, { in_progress }) => sum + in_progress, 0);
  const dayBefore = new Date(Date.parse(overview.generated_at) - 86_400_000).toISOString();
  return (
    <>
      <Figures label="Freshness, jobs, agents, and notifications">
        <FreshnessFigure />
        <Figure
          title="Agents online"
          count={agents.online}
          tone={agents.online === 0 ? 'critical' : 'ok'}
          isAlarm
          note={agents.offline === 0 ? 'none offline' : `${agents.offline.toLocaleString('en')} offline`}
          link={linkOptions({ to: '/agents' })}
        />
        <Figure
          title="Dead letters"
          count={deliveries_24h.dead_letter}
          tone={deliveries_24h.dead_letter === 0 ? 'ok' : 'critical'}
          note="in the last 24 hours"
          link={linkOptions({
            to: '/notification-deliveries',
            search: { status: 'dead_letter', since: dayBefore },
          })}
        />
        <Figure
          title="Delivered"
          count={deliveries_24h.succeeded}
          tone="ok"
          note="in the last 24 hours"
          link={linkOptions({
            to: '/notification-deliveries',
            search: { status: 'succeeded', since: dayBefore },
          })}
        />
        <Figure
          title="Channels failing"
          count={channels.failing}
          tone={channels.failing === 0 ? 'ok' : 'critical'}
          note={`of ${channels.active.toLocaleString('en')} enabled`}
          link={linkOptions({ to: '/notification-channels' })}
        />
      </Figures>
      <div className={classes.columns}>
        <div>
          <Section title="Failing jobs" actions={<FailedCounts jobs={jobs} />}>
            {failed_jobs.length === 0 ? (
              <Text size="sm" c="var(--text-muted)">
                {failing === 0
                  ? 'No failing jobs.'
                  : 'Your jobs are healthy. The operator handles failing global jobs.'}
              </Text>
            ) : (
              <ul className={classes.list}>
                {failed_jobs.map(({ kind, id, name, error, failed_at }) => (
                  <li key={`${kind} ${id}`}>
                    <div className={classes.line}>
                      <JobLink kind={kind} id={id} size="sm" fw={500}>
                        {name}
                      </JobLink>
                      <Text span size="xs" c="var(--text-muted)">
                        {jobKinds[kind].label} · <RelativeTime at={failed_at} />
                      </Text>
                    </div>
                    <div className={classes.line}>
                      <Text size="sm" className={classes.error}>
                        {error.message}
                      </Text>
                      <RunAgainButton kind={kind} id={id} name={name} />
                    </div>
                  </li>
                ))}
              </ul>
            )}
          </Section>
        </div>
        <div>
          {overview.reference_sources.length > 0 && (
            <Section title="Reference data">
              <ReferenceData {...overview} />
            </Section>
          )}
          <Section title="Upcoming runs">
            {next_runs.length === 0 ? (
              <Text size="sm" c="var(--text-muted)">
                No scheduled runs.
              </Text>
            ) : (
              <ul className={classes.list}>
                {next_runs.map(({ kind, id, name, next_run_at }) => (
                  <li key={`${kind} ${id}`} className={classes.line}>
                    <JobLink kind={kind} id={id} size="sm">
                      {name}
                    </JobLink>
                    <Text span size="xs" c="var(--text-muted)">
                      {jobKinds[kind].label} · <RelativeTime at={next_run_at} />
                    </Text>
                  </li>
                ))}
              </ul>
            )}
            {running > 0 && (
              <Text size="xs" mt="xs" c="var(--text-muted)">
                {running.toLocaleString('en')} running
              </Text>
            )}
          </Section>
        </div>
      </div>
    </>
  );
}

const failedNouns = {
  gather: { one: 'upstream source', many: 'upstream sources' },
  scrape: { one: 'version tracker', many: 'version trackers' },
  helm_sync: { one: 'Helm repository', many: 'Helm repositories' },
  discovery: { one: 'discovery job', many: 'discovery jobs' },
} as const;

function FailedCounts({ jobs }: { jobs: Overview['jobs'] }) {
  const kinds = (['gather', 'scrape', 'helm_sync', 'discovery'] as const).filter(
    (kind) => jobs[kind].failed > 0,
  );
  const links = kinds.map((kind) => (
    <TextLink key={kind} to={jobKinds[kind].list} search={{ status: 'failed', is_active: 'true' }} size="sm">
      {countOf(jobs[kind].failed, failedNouns[kind].one, failedNouns[kind].many)}
    </TextLink>
  ));
  return <Group gap="md">{links}</Group>;
}

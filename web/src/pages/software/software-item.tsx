import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { AlertActionButtons } from '../../components/alert-actions-menu.tsx';
import { isAboutFindings } from '../../components/behind-by.ts';
import { ExplanationText } from '../../components/explanation-text.tsx';
import { FailedRunNotice } from '../../components/job-status.tsx';
import { type Column, ShortList } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { ReleaseNotesView } from '../../components/release-notes/release-notes-view.tsx';
import { RunsList } from '../../components/runs-list.tsx';
import { KnownVulnerabilities } from '../../components/vulnerability-section.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/facts.tsx';
import { ButtonLink, type PlainPath } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { BadgeSection } from '../alert-configs/badge-section.tsx';
import { AlertNeighbors } from '../alerts/alert-neighbors.tsx';
import { runsItself } from '../scrape-jobs/scrape-job-facts.tsx';
import { SnapshotsList } from '../scrape-jobs/snapshots-list.tsx';
import { CollapsibleDetails } from './collapsible-details.tsx';
import { describeLag, describeUnmonitored, describeVerdict } from './describe-verdict.ts';
import { fleetColumns, formatConfigLag, useRuleTypes } from './fleet-columns.tsx';
import { History } from './history.tsx';
import { ItemActivity } from './item-activity.tsx';
import { ItemStatus, ResolvedAlert } from './item-status.tsx';
import { MonitorPanel } from './monitor-panel.tsx';
import { ReadFromPanel } from './read-from-panel.tsx';
import { ReceiversPanel } from './receivers-panel.tsx';
import { RulePanel } from './rule-panel.tsx';
import classes from './software-item.module.css';
import { FoldedSource, SourcePanel } from './source-panel.tsx';
import { UpgradeTargets } from './upgrade-targets.tsx';
import { useScrollToSection } from './use-scroll-to-section.ts';

type Alert = Schemas['Alert'];
type Config = Schemas['AlertConfig'];
type Job = Schemas['ScrapeJob'];

interface ItemProps {
  /** Monitor to show. By default, that's the one with the worst result. */
  config?: Config | undefined;
  /** Alert to show. By default, that's the open alert of the monitor. */
  alert?: Alert | undefined;
  /** Heading. By default, that's the name of the software. */
  title?: string;
  /** List that the page was opened from. */
  parent: { to: PlainPath; title: string };
  /** Section to open. By default, the page starts at the top. */
  section?: 'read-from' | 'source';
}

/**
 * Page of a deployed item: what is deployed, what to upgrade to and why, its history, and the settings behind
 * the result. The URLs of its version tracker, upstream source, monitors, and alerts open the same page at
 * the matching section.
 */
export function SoftwareItem({ jobId, ...props }: ItemProps & { jobId: number }) {
  const job = useApi('getScrapeJob', { path: { id: jobId } });
  const monitors = useApi('listAlertConfigs', { query: { scrape_job_id: jobId, sort: 'worst', limit: 1 } });
  return (
    <Loaded query={job} parent={props.parent}>
      {(found) => (
        <Loaded query={monitors}>
          {({ items: [worst], total }) => {
            const config = props.config ?? worst;
            return config === undefined ? (
              <Unmonitored job={found} {...props} />
            ) : (
              <Monitored key={config.id} job={found} {...props} config={config} monitorCount={total} />
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

function Unmonitored({ job, title = job.name, parent, section }: ItemProps & { job: Job }) {
  const canWrite = useHasRole('member');
  const navigate = useNavigate();
  useScrollToSection(section);
  return (
    <>
      <PageHeader
        title={title}
        parent={parent}
        about={describeUnmonitored(job.latest_version)}
        actions={<CheckButton job={job} />}
      />
      <FailedRunNotice job={job} what="version tracker" />
      <div className={classes.columns}>
        <div>
          <EmptyState
            title="Not monitored yet"
            action={
              canWrite && (
                <ButtonLink to="/alert-configs/new" search={{ scrape_job_id: String(job.id) }}>
                  Create monitor
                </ButtonLink>
              )
            }
          >
            A monitor compares the deployed version with the releases of an upstream source.
          </EmptyState>
          <SnapshotsList job={job} />
          <TrackerRuns job={job} isOpen={section === 'read-from'} />
        </div>
        <div>
          <ReadFromPanel job={job} leave={() => navigate({ to: parent.to })} />
        </div>
      </div>
    </>
  );
}

function Monitored({
  job,
  config,
  alert: chosen,
  monitorCount,
  title = job.name,
  parent,
  section,
}: ItemProps & { job: Job; config: Config; monitorCount: number }) {
  const ruleTypes = useRuleTypes();
  const navigate = useNavigate();
  const open = useApi(
    'getAlert',
    { path: { id: config.active_alert_id ?? 0 } },
    { enabled: config.active_alert_id !== null && chosen === undefined },
  );
  const rule = useApi('getRule', { path: { id: config.rule_id } });
  const source = useApi('getGatherJob', { path: { id: config.gather_job_id } });
  const isResolved = chosen?.status === 'resolved';
  const alert = chosen ?? (config.active_alert_id === null ? undefined : open.data);
  const behindBy = formatConfigLag(config, ruleTypes);
  const leave = () => navigate({ to: parent.to });
  useScrollToSection(section);
  return (
    <>
      <PageHeader
        title={title}
        parent={parent}
        about={describeVerdict(config, behindBy, rule.data?.days_basis)}
        actions={
          <>
            {chosen !== undefined && !isResolved && <AlertNeighbors alertId={chosen.id} />}
            {alert !== undefined && <AlertActionButtons alert={alert} />}
            <CheckButton job={job} />
          </>
        }
      />
      <FailedRunNotice job={job} what="version tracker" />
      {source.data && <FailedRunNotice job={source.data} what="upstream source" />}
      <Contents hasVulnerabilities={isAboutFindings(config.rule_type)} hasMonitors={monitorCount > 1} />
      <div className={classes.columns}>
        <div>
          {isResolved && (
            <Section title="Resolved alert">
              <ResolvedAlert alert={chosen} />
            </Section>
          )}
          <Section id="status" title={monitorCount > 1 ? config.name : 'Status'}>
            <ItemStatus job={job} config={config} alert={isResolved ? undefined : alert} />
          </Section>
          {monitorCount > 1 && (
            <Section id="monitors" title={`Monitors (${monitorCount.toLocaleString('en')})`}>
              <ShortList
                operationId="listAlertConfigs"
                query={{ scrape_job_id: job.id, sort: 'worst' }}
                columns={monitorColumns(ruleTypes, config.id)}
                name="monitors"
                rowKey={({ id }) => id}
                rowLink={({ id }) => ({
                  to: '/software/$id',
                  params: { id: String(job.id) },
                  search: { monitor: String(id) },
                })}
                empty="No monitors"
                size={5}
              />
            </Section>
          )}
          <Section id="upgrade" title="Suggested targets">
            <UpgradeTargets config={config} />
          </Section>
          <Section id="history" title="Timeline">
            <History config={config} lag={describeLag(behindBy, config.rule_type, rule.data?.days_basis)} />
          </Section>
          <Section id="release-notes" title="Release notes">
            <ReleaseNotesView alertConfigId={config.id} {...rangeOf(chosen)} />
          </Section>
          <KnownVulnerabilities config={config} />
          <Section id="why" title={config.active_alert_id === null ? 'Why' : 'Why this alert'}>
            <ExplanationText alertConfigId={config.id} />
          </Section>
          <SnapshotsList job={job} />
          <ItemActivity jobId={job.id} alert={alert} />
          <TrackerRuns job={job} isOpen={section === 'read-from'} />
          <FoldedSource
            jobId={config.gather_job_id}
            name={config.gather_job.name}
            isOpen={section === 'source'}
          />
        </div>
        <div>
          <ReadFromPanel job={job} leave={leave} />
          <SourcePanel jobId={config.gather_job_id} leave={leave} />
          <RulePanel ruleId={config.rule_id} />
          <ReceiversPanel config={config} />
          <MonitorPanel config={config} leave={leave} />
          <BadgeSection alertConfigId={config.id} />
        </div>
      </div>
    </>
  );
}

/** Returns the versions that an alert stores. The page of the alert shows the release notes between them. */
function rangeOf(alert: Alert | undefined): { from?: string; to?: string } {
  if (alert === undefined || alert.latest_version === null) return {};
  return { from: alert.discovered_version, to: alert.latest_version };
}

const sections = [
  ['status', 'Status'],
  ['monitors', 'Monitors'],
  ['upgrade', 'Targets'],
  ['history', 'Timeline'],
  ['release-notes', 'Release notes'],
  ['vulnerabilities', 'Vulnerabilities'],
  ['why', 'Why'],
  ['versions', 'Versions'],
  ['activity', 'Activity'],
  ['read-from', 'Tracker'],
  ['source', 'Source'],
  ['rule', 'Rule'],
  ['receivers', 'Receivers'],
  ['monitor', 'Monitor'],
] as const;

/** Links to the sections of the page, which is long on narrow screens. */
function Contents({
  hasVulnerabilities,
  hasMonitors,
}: {
  hasVulnerabilities: boolean;
  hasMonitors: boolean;
}) {
  const shown = sections.filter(
    ([id]) => (id !== 'vulnerabilities' || hasVulnerabilities) && (id !== 'monitors' || hasMonitors),
  );
  return (
    <nav aria-label="Sections of this page" className={classes.contents}>
      {shown.map(([id, name]) => (
        <a key={id} href={`#${id}`}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Runs of the version tracker, folded unless the page was opened for them. Some trackers have none. */
function TrackerRuns({ job, isOpen }: { job: Job; isOpen: boolean }) {
  if (!runsItself(job)) return null;
  return (
    <CollapsibleDetails title="Runs of the version tracker" isOpen={isOpen}>
      <RunsList operationId="listScrapeJobRuns" jobId={job.id} />
    </CollapsibleDetails>
  );
}

/** Returns the columns for the results of the monitors. */
function monitorColumns(
  ruleTypes: ReturnType<typeof useRuleTypes>,
  chosenId: number,
): readonly Column<Config>[] {
  const columns = fleetColumns(ruleTypes).filter(({ header }) => !['Name', 'Deployed'].includes(header));
  return [
    {
      header: 'Monitor',
      cell: ({ id, name, rule }) => (
        <TwoLines second={rule.name}>
          <span aria-current={id === chosenId || undefined}>{name}</span>
        </TwoLines>
      ),
      width: 'minmax(0, 2fr)',
    },
    ...columns,
  ];
}

/** Button that reads the deployed version now. */
function CheckButton({ job }: { job: Job }) {
  const canWrite = useHasRole('member');
  const scrape = useAction('runScrapeJob', { done: 'Version check queued' });
  if (!canWrite || job.parser_type === 'manual') return null;
  return (
    <Button
      variant="default"
      loading={scrape.isPending}
      onClick={() => scrape.mutate({ path: { id: job.id } })}
    >
      Check deployed version
    </Button>
  );
}

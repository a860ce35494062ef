import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { lagHeading, lagText, sinceLabel } from '../../components/behind-by.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { ExplanationText } from '../../components/explanation-text.tsx';
import { LabelList } from '../../components/label-list.tsx';
import { LatestVersion } from '../../components/latest-version.tsx';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { reasonSentences } from '../../components/state-labels.ts';
import { SupportText } from '../../components/support/support-text.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { SetVersionDialog } from '../scrape-jobs/set-version-form.tsx';
import { behindOf, fleetColumns, useRuleTypes } from './fleet-columns.tsx';
import { History } from './history.tsx';

type Config = Schemas['AlertConfig'];
type Job = Schemas['ScrapeJob'];

const mostMonitors = 50;

const parent = { to: '/software', title: 'Software' } as const;

/**
 * Page of a deployed item: the results of its monitors, and the history of one of them. By default, that's
 * the most severe monitor.
 */
export default function SoftwareItemPage() {
  const { id } = useParams({ from: '/shell/software/$id' });
  const job = useApi('getScrapeJob', { path: { id: Number(id) } });
  const monitors = useApi('listAlertConfigs', {
    query: { scrape_job_id: Number(id), sort: 'worst', limit: mostMonitors },
  });
  return (
    <Loaded query={job} parent={parent}>
      {(found) => (
        <Loaded query={monitors}>{({ items }) => <SoftwareItem job={found} monitors={items} />}</Loaded>
      )}
    </Loaded>
  );
}

function SoftwareItem({ job, monitors }: { job: Job; monitors: readonly Config[] }) {
  const { monitor } = useSearch({ from: '/shell/software/$id' });
  const config = monitors.find(({ id }) => String(id) === monitor) ?? monitors[0];
  return (
    <>
      <PageHeader
        title={job.name}
        parent={parent}
        about={
          config === undefined || config.state_reason === null
            ? undefined
            : reasonSentences(config.state_reason)
        }
        actions={<Actions job={job} config={config} />}
      />
      {config === undefined ? (
        <Unmonitored job={job} />
      ) : (
        <Verdict key={config.id} job={job} monitors={monitors} config={config} />
      )}
    </>
  );
}

function Unmonitored({ job }: { job: Job }) {
  const canWrite = useCan('member');
  return (
    <>
      <Section title="Status">
        <Facts
          facts={[
            [
              'Deployed',
              <VersionText key="deployed" version={job.latest_version} match={job.match} none="unknown" />,
            ],
            ['Version tracker', <Part key="scrape" kind="scrape_job" part={job} />],
            Object.keys(job.labels).length > 0 && [
              'Labels',
              <LabelList key="labels" labels={job.labels} to="/software" />,
            ],
          ]}
        />
      </Section>
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
    </>
  );
}

function Verdict({ job, monitors, config }: { job: Job; monitors: readonly Config[]; config: Config }) {
  const ruleTypes = useRuleTypes();
  const behindBy = behindOf(config, ruleTypes);
  return (
    <>
      {monitors.length > 1 && (
        <Section title={`Monitors (${monitors.length.toLocaleString('en')})`}>
          <RowsTable
            items={monitors}
            columns={verdictColumns(ruleTypes, config.id)}
            name="monitors"
            rowKey={({ id }) => id}
            rowLink={({ id }) => ({
              to: '/software/$id',
              params: { id: String(job.id) },
              search: { monitor: String(id) },
            })}
          />
        </Section>
      )}
      <Section title={monitors.length > 1 ? config.name : 'Status'}>
        <Facts
          facts={[
            ['State', <ConfigState key="state" config={config} />],
            [
              'Deployed',
              <VersionText
                key="deployed"
                version={config.deployed_version}
                // `job.match` belongs to the newest deployed version, but the last evaluation of the monitor
                // can have used an earlier one.
                match={config.deployed_version === job.latest_version ? job.match : null}
                none="unknown"
              />,
            ],
            ['Latest', <LatestVersion key="latest" config={config} />],
            ['Latest stable', <VersionText key="stable" version={config.latest_stable_version} />],
            [lagHeading(config.rule_type), behindBy],
            config.ends_at !== null && ['End of support', <RelativeTime key="end" at={config.ends_at} />],
            [
              'Support',
              <SupportText key="support" subject="alert_config_ids" id={config.id} none="unknown" />,
            ],
            config.behind_since !== null && [
              sinceLabel(ruleTypes.get(config.rule_id)),
              <RelativeTime key="since" at={config.behind_since} />,
            ],
            config.active_alert_id !== null && [
              'Open alert',
              <TextLink key="alert" {...resourceLink('alert', config.active_alert_id)} inherit>
                {config.severity === null ? 'View alert' : <SeverityMark severity={config.severity} />}
              </TextLink>,
            ],
            config.next_evaluation_at !== null && [
              'Next threshold',
              <RelativeTime key="next" at={config.next_evaluation_at} />,
            ],
          ]}
        />
      </Section>
      <Section title="History">
        <History config={config} lag={lagText(behindBy, ruleTypes.get(config.rule_id))} />
      </Section>
      <Section title="Why">
        <ExplanationText alertConfigId={config.id} />
      </Section>
      <Section title="Details">
        <Facts
          facts={[
            ['Version tracker', <Part key="scrape" kind="scrape_job" part={config.scrape_job} />],
            ['Upstream source', <Part key="gather" kind="gather_job" part={config.gather_job} />],
            ['Rule', <Part key="rule" kind="rule" part={config.rule} />],
            [
              'Monitor',
              <Part key="config" kind="alert_config" part={{ id: config.id, name: config.name }} />,
            ],
            [
              'Alert history',
              <TextLink
                key="alerts"
                to="/alerts"
                search={{ view: 'resolved', scrape_job_id: String(job.id) }}
                inherit
              >
                View resolved alerts
              </TextLink>,
            ],
            Object.keys(config.effective_labels).length > 0 && [
              'Labels',
              <LabelList key="labels" labels={config.effective_labels} to="/software" />,
            ],
          ]}
        />
      </Section>
    </>
  );
}

/** Returns the columns for the results of the monitors. */
function verdictColumns(
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

function Part({
  kind,
  part,
}: {
  kind: 'scrape_job' | 'gather_job' | 'rule' | 'alert_config';
  part: Pick<Schemas['NamedReference'], 'id' | 'name'>;
}) {
  return (
    <TextLink {...resourceLink(kind, part.id)} inherit>
      {part.name}
    </TextLink>
  );
}

/**
 * Buttons that check the deployed version and, if the upstream source belongs to the organization, the
 * releases.
 */
function Actions({ job, config }: { job: Job; config: Config | undefined }) {
  const canWrite = useCan('member');
  const [isSetting, setting] = useDisclosure(false);
  const gatherJob = useApi(
    'getGatherJob',
    { path: { id: config?.gather_job_id ?? 0 } },
    { enabled: canWrite && config !== undefined },
  );
  const scrape = useAction('runScrapeJob', { done: 'Version check queued' });
  const gather = useAction('runGatherJob', { done: 'Release check queued' });
  if (!canWrite) return null;
  return (
    <>
      {job.parser_type === 'manual' ? (
        <Button onClick={setting.open}>Set version</Button>
      ) : (
        <Button
          variant="default"
          loading={scrape.isPending}
          onClick={() => scrape.mutate({ path: { id: job.id } })}
        >
          Check deployed version
        </Button>
      )}
      {config !== undefined && gatherJob.data?.scope === 'organization' && (
        <Button
          variant="default"
          loading={gather.isPending}
          onClick={() => gather.mutate({ path: { id: config.gather_job_id } })}
        >
          Check for releases
        </Button>
      )}
      {isSetting && <SetVersionDialog job={job} onClose={setting.close} />}
    </>
  );
}

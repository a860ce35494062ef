import { Anchor, Box, Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { alertReasonLabels, isSnoozedAlert } from '../../components/alert-labels.ts';
import { AlertStatus } from '../../components/alert-status.tsx';
import { artifactText } from '../../components/artifact-text.ts';
import { formatLagOrSupport, lagHeading, sinceLabel } from '../../components/behind-by.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { LabelList } from '../../components/label-list.tsx';
import { LatestVersion } from '../../components/latest-version.tsx';
import { SeverityMark } from '../../components/severity.tsx';
import { formatLastDay } from '../../components/support/describe-support.ts';
import { SupportText } from '../../components/support/support-text.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AssigneeField } from '../alerts/assignee-field.tsx';
import { formatConfigLag, useRuleTypes } from './fleet-columns.tsx';

type Alert = Schemas['Alert'];
type Config = Schemas['AlertConfig'];
type Fact = readonly [string, React.ReactNode] | null | false;

/** Result of a monitor, with the state of its open alert. */
export function ItemStatus({
  job,
  config,
  alert,
}: {
  job: Schemas['ScrapeJob'];
  config: Config;
  alert: Alert | undefined;
}) {
  const ruleTypes = useRuleTypes();
  return (
    <>
      <Facts
        facts={[
          ['State', <ConfigState key="state" config={config} />],
          config.severity !== null && [
            'Severity',
            <SeverityMark key="severity" severity={config.severity} />,
          ],
          ['Deployed', <Deployed key="deployed" job={job} config={config} />],
          ['Latest', <LatestVersion key="latest" config={config} />],
          config.latest_stable_version !== config.latest_version && [
            'Latest stable',
            <VersionText key="stable" version={config.latest_stable_version} />,
          ],
          [lagHeading(config.rule_type), formatConfigLag(config, ruleTypes)],
          config.ends_at !== null && ['Last day of support', formatLastDay(config.ends_at)],
          ['Support', <SupportText key="support" subject="alert_config_ids" id={config.id} none="unknown" />],
          config.behind_since !== null && [
            sinceLabel(config.rule_type),
            <>
              <RelativeTime at={config.behind_since} />
              {alert?.is_estimate === true && ' (estimate)'}
            </>,
          ],
          ...(alert === undefined ? [] : alertFacts(alert)),
          ['Last evaluated', <RelativeTime key="last" at={config.last_evaluated_at} none="never" />],
          config.next_evaluation_at !== null && [
            'Next threshold',
            <RelativeTime key="next" at={config.next_evaluation_at} />,
          ],
        ]}
      />
      {Object.keys(config.effective_labels).length > 0 && (
        <Box mt="sm">
          <LabelList labels={config.effective_labels} to="/software" />
        </Box>
      )}
    </>
  );
}

function Deployed({ job, config }: { job: Schemas['ScrapeJob']; config: Config }) {
  // `job.match` belongs to the newest deployed version, but the last evaluation of the monitor can have used an
  // earlier one.
  const match = config.deployed_version === job.latest_version ? job.match : null;
  return <VersionText version={config.deployed_version} match={match} none="unknown" />;
}

/** State of a resolved alert, with its versions at the time when it was open. */
export function ResolvedAlert({ alert }: { alert: Alert }) {
  const versionNow = alert.alert_config?.deployed_version;
  return (
    <>
      <Text size="sm" mb="sm">
        {describeResolved(alert)}
      </Text>
      <Facts
        facts={[
          ['Severity', <SeverityMark key="severity" severity={alert.severity} />],
          ['Deployed then', <VersionText key="deployed" version={alert.discovered_version} />],
          // A resolved alert keeps its deployed version, so the version deployed now can differ.
          versionNow !== undefined &&
            versionNow !== alert.discovered_version && [
              'Deployed now',
              <VersionText key="now" version={versionNow} none="unknown" />,
            ],
          ['Latest then', <VersionText key="latest" version={alert.latest_version} />],
          [lagHeading(alert.rule_type), formatLagOrSupport(alert)],
          ...alertFacts(alert),
          ['Resolved', <RelativeTime key="resolved" at={alert.resolved_at} />],
        ]}
      />
    </>
  );
}

function describeResolved({ reason, discovered_version, latest_version, artifact_name }: Alert): string {
  if (reason !== 'behind' || latest_version === null) return alertReasonLabels[reason];
  return `${artifactText(artifact_name)} ${latest_version} was available; ${discovered_version} was deployed then.`;
}

function alertFacts(alert: Alert): readonly Fact[] {
  const isOpen = alert.status !== 'resolved';
  return [
    ['Alert', <AlertStatus key="status" alert={alert} />],
    ['Assignee', <AssigneeField key="assignee" alert={alert} />],
    ['Opened', <RelativeTime key="opened" at={alert.created_at} />],
    alert.escalated_at !== null && ['Escalated', <RelativeTime key="escalated" at={alert.escalated_at} />],
    alert.acknowledged_at !== null && [
      'Acknowledged',
      <RelativeTime key="acknowledged" at={alert.acknowledged_at} />,
    ],
    isOpen && isSnoozedAlert(alert) && ['Snoozed', <SnoozeEnd key="snoozed" alert={alert} />],
    alert.silence !== null && ['Silenced', <SilenceEnd key="silenced" silence={alert.silence} />],
    alert.tickets !== undefined &&
      alert.tickets.length > 0 && ['Tickets', <Tickets key="tickets" tickets={alert.tickets} />],
  ];
}

const ticketStates: Readonly<Record<Schemas['AlertTicketState'], string>> = {
  open: 'open',
  closed: 'closed',
  missing: 'deleted or moved',
};

function Tickets({ tickets }: { tickets: readonly Schemas['AlertTicket'][] }) {
  return tickets.map(({ key, url, state }) => (
    <Text key={url} span inherit display="block">
      <Anchor href={url} target="_blank" rel="noreferrer" inherit>
        {key}
      </Anchor>{' '}
      ({ticketStates[state]})
    </Text>
  ));
}

function SilenceEnd({ silence: { ends_at, reason } }: { silence: Schemas['AlertSilence'] }) {
  return (
    <>
      <TextLink to="/silences" inherit>
        {reason}
      </TextLink>
      {', ends '}
      <RelativeTime at={ends_at} />
    </>
  );
}

function SnoozeEnd({ alert: { snoozed_until, snoozed_until_version_changes } }: { alert: Alert }) {
  if (snoozed_until === null) return 'until a version changes';
  return (
    <>
      ends <RelativeTime at={snoozed_until} />
      {snoozed_until_version_changes && ' or when a version changes'}
    </>
  );
}

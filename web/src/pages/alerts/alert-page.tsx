import { Anchor, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { AlertActionButtons } from '../../components/alert-actions-menu.tsx';
import { alertReasonLabels, isSnoozedAlert } from '../../components/alert-labels.ts';
import { AlertStatus } from '../../components/alert-status.tsx';
import { artifactText } from '../../components/artifact-text.ts';
import { formatLagOrSupport, lagHeading, sinceLabel } from '../../components/behind-by.ts';
import { deliveryColumns } from '../../components/delivery-columns.tsx';
import { ExplanationText } from '../../components/explanation-text.tsx';
import { LabelList } from '../../components/label-list.tsx';
import { ShortList } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { ReleaseNotesView } from '../../components/release-notes/release-notes-view.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { SupportText } from '../../components/support/support-text.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { KnownVulnerabilities } from '../../components/vulnerability-section.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AlertHistory } from './alert-history.tsx';
import { AlertNeighbors } from './alert-neighbors.tsx';
import { AlertTrail } from './alert-trail.tsx';
import { AssigneeField } from './assignee-field.tsx';
import { CommentForm } from './comment-form.tsx';

type Alert = Schemas['Alert'];

const parent = { to: '/alerts', title: 'Alerts' } as const;

export default function AlertPage() {
  const { id } = useParams({ from: '/shell/alerts/$id' });
  const alert = useApi('getAlert', { path: { id: Number(id) } });
  return (
    <Loaded query={alert} parent={parent}>
      {(found) => <AlertDetail alert={found} />}
    </Loaded>
  );
}

function AlertDetail({ alert }: { alert: Alert }) {
  const isResolved = alert.status === 'resolved';
  const versionNow = isResolved ? alert.alert_config?.deployed_version : undefined;
  return (
    <>
      <PageHeader
        title={alert.alert_config_name}
        parent={parent}
        about={inOneSentence(alert)}
        actions={
          <>
            {!isResolved && <AlertNeighbors alertId={alert.id} />}
            <AlertActionButtons alert={alert} />
          </>
        }
      />
      <Section title="Status">
        <Facts
          facts={[
            ['Severity', <SeverityMark key="severity" severity={alert.severity} />],
            ['Status', <AlertStatus key="status" alert={alert} />],
            ['Assignee', <AssigneeField key="assignee" alert={alert} />],
            ['Deployed', <VersionText key="deployed" version={alert.discovered_version} />],
            // A resolved alert keeps its deployed version, so the version deployed now can differ.
            versionNow !== undefined &&
              versionNow !== alert.discovered_version && [
                'Deployed now',
                <VersionText key="now" version={versionNow} />,
              ],
            ['Latest', <LatestVersion key="latest" alert={alert} />],
            [lagHeading(alert.rule_type), formatLagOrSupport(alert)],
            alert.gather_job?.is_archived === true && ['Repository', 'Archived'],
            alert.gather_job?.is_deprecated === true && ['Chart', 'Deprecated'],
            alert.ends_at !== null && ['End of support', <RelativeTime key="end" at={alert.ends_at} />],
            !isResolved && [
              'Support',
              <SupportText
                key="support"
                subject="alert_config_ids"
                id={alert.alert_config_id}
                none="unknown"
              />,
            ],
            alert.alert_config?.behind_since
              ? [
                  sinceLabel(alert.rule_type),
                  <RelativeTime key="since" at={alert.alert_config.behind_since} />,
                ]
              : null,
            ['Opened', <RelativeTime key="opened" at={alert.created_at} />],
            alert.escalated_at !== null && [
              'Escalated',
              <RelativeTime key="escalated" at={alert.escalated_at} />,
            ],
            alert.acknowledged_at !== null && [
              'Acknowledged',
              <RelativeTime key="acknowledged" at={alert.acknowledged_at} />,
            ],
            !isResolved && isSnoozedAlert(alert) && ['Snoozed', <SnoozeEnd key="snoozed" alert={alert} />],
            alert.silence !== null && ['Silenced', <SilenceEnd key="silenced" silence={alert.silence} />],
            alert.tickets !== undefined &&
              alert.tickets.length > 0 && ['Tickets', <Tickets key="tickets" tickets={alert.tickets} />],
            isResolved && ['Resolved', <RelativeTime key="resolved" at={alert.resolved_at} />],
            Object.keys(alert.labels).length > 0 && [
              'Labels',
              <LabelList key="labels" labels={alert.labels} to="/alerts" />,
            ],
          ]}
        />
      </Section>
      {!isResolved && (
        <Section title="Why this alert">
          <ExplanationText alertConfigId={alert.alert_config_id} />
        </Section>
      )}
      {!isResolved && alert.alert_config !== undefined && (
        <KnownVulnerabilities config={alert.alert_config} />
      )}
      {alert.latest_version !== null && (
        <div id="release-notes">
          <Section title="Release notes">
            <ReleaseNotesView
              alertConfigId={alert.alert_config_id}
              from={alert.discovered_version}
              to={alert.latest_version}
            />
          </Section>
        </div>
      )}
      {alert.alert_config && (
        <Section title="History">
          <AlertHistory config={alert.alert_config} />
        </Section>
      )}
      <Section title="Details">
        <DetailsSection alert={alert} />
      </Section>
      <Section title="Activity">
        <CommentForm alertId={alert.id} isUnacknowledged={alert.status === 'unacknowledged'} />
        <AlertTrail alertId={alert.id} />
      </Section>
      <Section title="Notifications">
        <Deliveries alertId={alert.id} />
      </Section>
    </>
  );
}

function inOneSentence(alert: Alert): string {
  const { reason, status, discovered_version, latest_version, artifact_name } = alert;
  if (reason !== 'behind' || latest_version === null) return alertReasonLabels[reason];
  // For a resolved alert, a different version may be deployed now.
  const [is, wasDeployed] = status === 'resolved' ? ['was', 'was deployed then'] : ['is', 'is deployed'];
  return `${artifactText(artifact_name)} ${latest_version} ${is} available; ${discovered_version} ${wasDeployed}.`;
}

function LatestVersion({ alert: { latest_version, release_url } }: { alert: Alert }) {
  return (
    <>
      <VersionText version={latest_version} />
      {release_url !== null && (
        <>
          {' · '}
          <Anchor href={release_url} target="_blank" rel="noreferrer" inherit>
            Release notes
          </Anchor>
        </>
      )}
    </>
  );
}

function DetailsSection({ alert }: { alert: Alert }) {
  const { alert_config, rule, scrape_job, gather_job } = alert;
  return (
    <Facts
      facts={[
        scrape_job !== undefined && [
          'Software',
          <TextLink
            key="software"
            {...resourceLink('software', scrape_job.id)}
            search={{ monitor: String(alert.alert_config_id) }}
            inherit
          >
            {scrape_job.name}
          </TextLink>,
        ],
        [
          'Monitor',
          <TextLink key="config" {...resourceLink('alert_config', alert.alert_config_id)} inherit>
            {alert_config?.name ?? alert.alert_config_name}
          </TextLink>,
        ],
        [
          'Rule',
          <TextLink key="rule" {...resourceLink('rule', alert.rule_id)} inherit>
            {rule?.name ?? alert.rule_name}
          </TextLink>,
        ],
        scrape_job
          ? [
              'Version tracker',
              <TextLink key="scrape" {...resourceLink('scrape_job', scrape_job.id)} inherit>
                {scrape_job.name}
              </TextLink>,
            ]
          : null,
        gather_job
          ? [
              'Upstream source',
              <TextLink key="gather" {...resourceLink('gather_job', gather_job.id)} inherit>
                {gather_job.name}
              </TextLink>,
            ]
          : null,
        ['Artifact', artifactText(alert.artifact_name)],
        alert.repository_url !== null && ['Repository', alert.repository_url],
        alert.target_file !== null && ['File', alert.target_file],
      ]}
    />
  );
}

function Deliveries({ alertId }: { alertId: number }) {
  return (
    <ShortList
      operationId="listAlertDeliveries"
      path={{ id: alertId }}
      columns={deliveryColumns({ without: 'alert' })}
      name="deliveries"
      rowKey={({ id }) => id}
      rowLink={({ id }) => resourceLink('notification_delivery', id)}
      empty={
        <>
          No notifications sent for this alert.{' '}
          <TextLink to="/notification-rules" inherit underline="always">
            Preview recipients
          </TextLink>
        </>
      }
    />
  );
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

import { Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { resolutionLabels } from '../../components/alert-labels.ts';
import { deliveryColumns } from '../../components/delivery-columns.tsx';
import { type Column, ShortList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AlertTrail } from '../alerts/alert-trail.tsx';
import { CommentForm } from '../alerts/comment-form.tsx';

/** Activity of an alert, its notifications, and the resolved alerts of the same monitor. */
export function ItemActivity({ jobId, alert }: { jobId: number; alert: Schemas['Alert'] | undefined }) {
  return (
    <>
      <Section title="Activity" id="activity">
        {alert === undefined ? (
          <Text size="sm" c="var(--text-muted)">
            No alert is open.
          </Text>
        ) : (
          <>
            <CommentForm alertId={alert.id} isUnacknowledged={alert.status === 'unacknowledged'} />
            <AlertTrail alertId={alert.id} />
          </>
        )}
      </Section>
      {alert !== undefined && (
        <Section title="Notifications">
          <ShortList
            operationId="listAlertDeliveries"
            path={{ id: alert.id }}
            columns={deliveryColumns({ without: 'alert' })}
            name="deliveries"
            rowKey={({ id }) => id}
            rowLink={({ id }) => resourceLink('notification_delivery', id)}
            empty="No notifications sent for this alert."
          />
        </Section>
      )}
      <Section
        title="Resolved alerts"
        actions={
          <TextLink to="/alerts" search={{ view: 'resolved', scrape_job_id: String(jobId) }} size="sm">
            All
          </TextLink>
        }
      >
        <ShortList
          operationId="listResolvedAlerts"
          query={{ scrape_job_id: jobId }}
          columns={resolvedColumns}
          name="resolved alerts"
          rowKey={({ id }) => id}
          rowLink={({ id }) => resourceLink('alert', id)}
          empty="No alert has been resolved yet."
          size={5}
        />
      </Section>
    </>
  );
}

const resolvedColumns: readonly Column<Schemas['Alert']>[] = [
  {
    header: 'Opened',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
    width: '8rem',
  },
  { header: 'Severity', cell: ({ severity }) => <SeverityMark severity={severity} />, width: '6rem' },
  { header: 'Deployed', cell: ({ discovered_version }) => <VersionText version={discovered_version} /> },
  { header: 'Latest', cell: ({ latest_version }) => <VersionText version={latest_version} /> },
  {
    header: 'Resolved',
    cell: ({ resolved_at, resolution }) => (
      <>
        <RelativeTime at={resolved_at} />
        {resolution !== null && `, ${resolutionLabels[resolution]}`}
      </>
    ),
    width: 'minmax(0, 1.5fr)',
  },
];

import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { toneOfResolution } from '../../components/alert-labels.ts';
import { Loaded } from '../../components/loaded.tsx';
import { trailSentence } from '../../components/trail-sentence.ts';
import type { MarkTone } from '../../ui/mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './alert-trail.module.css';

type Action = Schemas['AuditTrailEntry']['action'];

const shownAtFirst = 20;
const mostShown = 200;

const tones: Partial<Record<Action, MarkTone>> = {
  created: 'high',
  escalated: 'critical',
  acknowledged: 'busy',
  commented: 'busy',
  notification_failed: 'moderate',
  notification_skipped: 'moderate',
};

function toneOf({ action, detail }: Schemas['AuditTrailEntry']): MarkTone {
  return action === 'resolved' ? toneOfResolution(detail) : (tones[action] ?? 'muted');
}

/** Shows the activity of an alert as a timeline of sentences, newest first. */
export function AlertTrail({ alertId }: { alertId: number }) {
  const [limit, setLimit] = useState(shownAtFirst);
  const input = { path: { id: alertId }, query: { limit } };
  const entries = useApi('listAlertActions', input, { keepPrevious: true });
  return (
    <Loaded query={entries}>
      {({ items, total }) => (
        <>
          <ol className={classes.trail}>
            {items.map((entry) => (
              <li key={entry.id} data-tone={toneOf(entry)}>
                <span className={classes.sentence}>{trailSentence(entry)}</span>
                <Text span size="xs" c="var(--text-muted)">
                  <RelativeTime at={entry.created_at} />
                </Text>
              </li>
            ))}
          </ol>
          {total > items.length && limit < mostShown && (
            <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setLimit(mostShown)}>
              Show {Math.min(total, mostShown) - items.length} older
            </Button>
          )}
          {total > mostShown && limit >= mostShown && (
            <Text size="xs" mt="xs" c="var(--text-muted)">
              The newest {mostShown} of {total.toLocaleString('en')} entries.
            </Text>
          )}
        </>
      )}
    </Loaded>
  );
}

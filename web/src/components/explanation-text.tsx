import { List, Text } from '@mantine/core';
import { useApi } from '../api/use-api.ts';
import { RelativeTime, useNow } from '../ui/relative-time.tsx';
import { explainInSentences } from './explanation-sentences.ts';
import { Loaded } from './loaded.tsx';

/** Why an alert configuration stands where it stands: what its last evaluation saw, sentence by sentence. */
export function ExplanationText({ alertConfigId }: { alertConfigId: number }) {
  const query = useApi('getAlertConfigExplanation', { path: { id: alertConfigId } });
  const now = useNow();
  return (
    <Loaded query={query}>
      {({ explanation, evaluated_at }) =>
        explanation === null ? (
          <Text size="sm" c="var(--text-muted)">
            Not evaluated yet.
          </Text>
        ) : (
          <>
            <List size="sm" spacing={4}>
              {explainInSentences(explanation, now).map((sentence) => (
                <List.Item key={sentence} style={{ overflowWrap: 'anywhere' }}>
                  {sentence}
                </List.Item>
              ))}
            </List>
            <Text size="xs" mt="xs" c="var(--text-muted)">
              Last evaluated <RelativeTime at={evaluated_at} />.
            </Text>
          </>
        )
      }
    </Loaded>
  );
}

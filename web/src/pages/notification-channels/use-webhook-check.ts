import { useDebouncedValue } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';

/** What the server says of an address while it is typed: after a short pause, and of no address but the present one. */
export function useWebhookCheck(url: string, preset: Schemas['NotificationPreset']) {
  const [settled] = useDebouncedValue(url.trim(), 350);
  const check = useApi(
    'validateWebhookConfig',
    { body: { url: settled, preset } },
    { enabled: settled !== '' },
  );
  const isCurrent = settled === url.trim() && settled !== '';
  const issues = (list: Schemas['WebhookConfigIssue'][] | undefined) =>
    isCurrent ? (list ?? []).filter(({ field }) => field === 'url').map(({ message }) => message) : [];
  return {
    errors: issues(check.data?.errors),
    warnings: issues(check.data?.warnings),
    /** The message that would be sent of an example alert. */
    rendered: check.data?.rendered ?? null,
  };
}

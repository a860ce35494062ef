import { useDebouncedValue } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';

export type TemplateCategory = Schemas['NotificationTemplateCategory'];

export interface PreviewChoice {
  /** Null: a template for every event. */
  category: TemplateCategory | null;
  body: string;
  /** Renders what this platform gets instead. */
  preset: Schemas['NotificationPreset'] | null;
  event: Schemas['AlertEventType'];
  severity: Schemas['AlertSeverity'];
}

/** How a template renders while it is written: asked for after a short pause; the last answer stays until the next. */
export function useTemplatePreview(choice: PreviewChoice) {
  const [settled] = useDebouncedValue(choice.body, 300);
  const { category, preset, event, severity } = choice;
  const preview = useApi(
    'previewNotificationTemplate',
    {
      body: {
        category: category ?? categoryOf(event),
        ...(preset === null ? { body: settled } : { preset }),
        sample: { event, alert: { severity } },
      },
    },
    { keepPrevious: true, enabled: category !== null || preset !== null },
  );
  // Whose variables a template for every event may use, only the check of a channel knows.
  const check = useApi(
    'validateWebhookConfig',
    { body: { url: 'https://example.com/', template: settled } },
    { keepPrevious: true, enabled: category === null && preset === null },
  );
  if (category === null && preset === null) {
    const issues = check.data?.errors.filter(({ field }) => field === 'template') ?? none;
    return {
      rendered: check.data?.rendered ?? null,
      isValidJson: check.data?.warnings.every(({ code }) => code !== 'not_json') ?? true,
      issues,
      warnings: check.data?.warnings.filter(({ field }) => field === 'template') ?? none,
      error: check.error,
      isLoaded: check.data !== undefined,
    };
  }
  return {
    rendered: preview.data?.rendered ?? null,
    isValidJson: preview.data?.is_valid_json ?? true,
    issues: preview.data?.errors ?? none,
    warnings: none,
    error: preview.error,
    isLoaded: preview.data !== undefined,
  };
}

const none: readonly Schemas['TemplateIssue'][] = [];

/** The sample of an event is asked for under its category. */
function categoryOf(event: Schemas['AlertEventType']): TemplateCategory {
  if (event === 'alert.resolved') return 'resolved';
  return event === 'alert.acknowledged' || event === 'alert.unacknowledged' ? 'acknowledged' : 'new_alert';
}

import { toCsv } from '../../../../src/domain/csv/csv-text.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { downloadText } from '../../ui/download-text.ts';

const columns = [
  'priority',
  'name',
  'severities',
  'event_types',
  'label_matchers',
  'rule_ids',
  'alert_config_ids',
  'channel_ids',
  'route_to_owner',
  'stop_processing',
  'is_active',
  'match_count',
  'last_matched_at',
] as const satisfies (keyof Schemas['NotificationRule'])[];

export function downloadRules(rules: readonly Schemas['NotificationRule'][]): void {
  const rows = rules.map((rule) => columns.map((column) => rule[column]));
  downloadText('notification-rules.csv', toCsv(columns, rows), 'text/csv;charset=utf-8');
}

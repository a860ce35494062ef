import { Group, List, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { Mark } from '../../ui/mark.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { formatEvent } from '../event-type.ts';
import { JsonText } from '../json-text.tsx';
import { severityOptions } from '../severity.tsx';
import type { EditorHandle } from './liquid-editor.tsx';
import classes from './template-editor.module.css';
import { TemplateFields } from './template-fields.tsx';
import { type PreviewChoice, type TemplateCategory, useTemplatePreview } from './use-template-preview.ts';

const LiquidEditor = lazy(() => import('./liquid-editor.tsx'));

/** Template editor with a preview, a list of issues, and a list of variables. */
export function TemplateEditor({
  category,
  events,
  fields,
  value,
  onChange,
  isReadOnly = false,
  presets,
}: {
  /** Category of the template. Null if the template applies to every event. */
  category: TemplateCategory | null;
  events: readonly Schemas['AlertEventType'][];
  fields: readonly Schemas['NotificationTemplateField'][];
  value: string;
  onChange: (value: string) => void;
  isReadOnly?: boolean;
  /** Platforms whose default message the preview can show for comparison. */
  presets: readonly { value: Schemas['NotificationPreset']; label: string }[];
}) {
  const editor = useRef<EditorHandle>(null);
  const [preset, setPreset] = useState<PreviewChoice['preset']>(null);
  const [event, setEvent] = useState(events[0] ?? 'alert.created');
  const [severity, setSeverity] = useState<PreviewChoice['severity']>('critical');
  const preview = useTemplatePreview({ category, body: value, preset, event, severity });
  const hasSample = category !== null || preset !== null;
  // The preview is next to the editor if both fit. Otherwise, it's between the editor and the collapsed variables.
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false });
  const variables = (
    <>
      <Text size="sm" c="var(--text-muted)">
        {isReadOnly
          ? 'Variables available in this template.'
          : 'Variables available in this template. Click one to insert it.'}
      </Text>
      <TemplateFields
        fields={fields}
        {...(!isReadOnly && { onInsert: (text) => editor.current?.insert(text) })}
      />
    </>
  );
  return (
    <div className={classes.panes}>
      <Stack gap={4}>
        <Suspense fallback={<Skeleton height={320} />}>
          <LiquidEditor
            handle={editor}
            value={value}
            onChange={onChange}
            label="Template"
            issues={preset === null ? preview.issues : noIssues}
            fields={fields}
            isReadOnly={isReadOnly}
          />
        </Suspense>
        <Text size="xs" c="var(--text-muted)">
          JSON with Liquid. Press Tab to indent; press Esc, then Tab to leave the editor.
        </Text>
        {preset === null && <Issues issues={preview.issues} warnings={preview.warnings} />}
      </Stack>
      <Stack gap="xs" component="section" aria-label="Preview" className={classes.preview}>
        <Select
          label="Preview"
          data={[{ value: '', label: 'This template' }, ...presets]}
          value={preset ?? ''}
          onChange={(chosen) => setPreset(chosen === '' ? null : (chosen as PreviewChoice['preset']))}
          allowDeselect={false}
        />
        {hasSample && (
          <Group gap="xs" grow>
            <Select
              label="Sample event"
              data={events.map((name) => ({ value: name, label: formatEvent(name) }))}
              value={event}
              onChange={(chosen) => setEvent(chosen as typeof event)}
              allowDeselect={false}
            />
            <Select
              label="Sample severity"
              data={severityOptions}
              value={severity}
              onChange={(chosen) => setSeverity(chosen as typeof severity)}
              allowDeselect={false}
            />
          </Group>
        )}
        {preset !== null && (
          <Text size="xs" c="var(--text-muted)">
            The built-in message for this platform. Used unless the channel has its own template.
          </Text>
        )}
        {preview.error && <ErrorNotice error={preview.error} />}
        {preview.rendered !== null && (
          <>
            {preview.isValidJson ? (
              <Mark tone="ok">Valid JSON</Mark>
            ) : (
              <Mark tone="critical">Not valid JSON. Receivers that expect JSON will reject it.</Mark>
            )}
            <JsonText text={preview.rendered} label="Rendered message" />
          </>
        )}
        {preview.rendered === null && preview.isLoaded && (
          <Text size="sm" c="var(--text-muted)">
            Can't render this template. See the errors below the editor.
          </Text>
        )}
      </Stack>
      {isNarrow ? (
        <details>
          <summary>Variables</summary>
          {variables}
        </details>
      ) : (
        <Stack gap={4}>
          <Title order={3}>Variables</Title>
          {variables}
        </Stack>
      )}
    </div>
  );
}

const noIssues: readonly Schemas['TemplateIssue'][] = [];

function Issues({ issues, warnings }: Record<'issues' | 'warnings', readonly Schemas['TemplateIssue'][]>) {
  const place = ({ line, column }: Schemas['TemplateIssue']) =>
    line === null ? '' : `Line ${line}, column ${column ?? 1}: `;
  return (
    <div role="status">
      {issues.length + warnings.length > 0 && (
        <List size="sm">
          {issues.map((issue) => (
            <List.Item key={`${issue.line}:${issue.column} ${issue.message}`}>
              <Text span inherit c="var(--severity-critical)">
                {place(issue)}
                {issue.message}
              </Text>
            </List.Item>
          ))}
          {warnings.map((issue) => (
            <List.Item key={issue.message}>{issue.message}</List.Item>
          ))}
        </List>
      )}
    </div>
  );
}

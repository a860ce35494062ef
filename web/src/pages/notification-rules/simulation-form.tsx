import { Button, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { AlertConfigPicker } from '../../components/alert-config-picker.tsx';
import { alertEventOptions } from '../../components/event-type.ts';
import { LabelEditor } from '../../components/label-editor.tsx';
import { severityOptions } from '../../components/severity.tsx';
import type { SimulatedAlert } from './use-simulation.ts';

/** Form for a hypothetical alert that the rules are simulated with. */
export function SimulationForm({
  alert,
  onSimulate,
}: {
  alert: SimulatedAlert | null;
  onSimulate: (alert: SimulatedAlert | null) => void;
}) {
  const [draft, setDraft] = useState<SimulatedAlert>(
    alert ?? { severity: 'critical', event_type: 'alert.created' },
  );
  // After the first simulation, each change immediately starts another one.
  const change = (part: Partial<SimulatedAlert>) => {
    const next = Object.fromEntries(
      Object.entries({ ...draft, ...part }).filter(([, value]) => value !== undefined),
    ) as unknown as SimulatedAlert;
    setDraft(next);
    if (alert) onSimulate(next);
  };
  const hasConfig = draft.alert_config_id !== undefined;
  return (
    <Stack gap="xs">
      <Text size="sm" c="var(--text-muted)">
        Try a hypothetical alert to see which rules match and which channels would be notified. Nothing is
        sent.
      </Text>
      <Select
        label="Severity"
        data={severityOptions}
        value={draft.severity}
        onChange={(severity) => change({ severity: severity as SimulatedAlert['severity'] })}
        allowDeselect={false}
      />
      <Select
        label="Event"
        data={alertEventOptions}
        value={draft.event_type}
        onChange={(event) => change({ event_type: event as SimulatedAlert['event_type'] })}
        allowDeselect={false}
      />
      <AlertConfigPicker
        label="Monitor"
        description="Uses the monitor's labels and rule, and whether its alert is snoozed."
        value={draft.alert_config_id ?? null}
        onChange={(id) =>
          change({ alert_config_id: id ?? undefined, ...(id !== null && { labels: undefined }) } as object)
        }
      />
      {!hasConfig && (
        <LabelEditor
          value={draft.labels ?? {}}
          onChange={(labels) =>
            change({ labels: Object.keys(labels).length === 0 ? undefined : labels } as object)
          }
        />
      )}
      {alert ? (
        <Button variant="default" onClick={() => onSimulate(null)}>
          Clear simulation
        </Button>
      ) : (
        <Button onClick={() => onSimulate(draft)}>Simulate</Button>
      )}
    </Stack>
  );
}

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
  const change = (next: SimulatedAlert) => {
    setDraft(next);
    if (alert) onSimulate(next);
  };
  const { alert_config_id: configId, labels, ...rest } = draft;
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
        onChange={(severity) => change({ ...draft, severity: severity as SimulatedAlert['severity'] })}
        allowDeselect={false}
      />
      <Select
        label="Event"
        data={alertEventOptions}
        value={draft.event_type}
        onChange={(event) => change({ ...draft, event_type: event as SimulatedAlert['event_type'] })}
        allowDeselect={false}
      />
      <AlertConfigPicker
        label="Monitor"
        description="Uses the monitor's labels and rule, and whether its alert is snoozed."
        value={configId ?? null}
        onChange={(id) =>
          change(id === null ? { ...rest, ...(labels && { labels }) } : { ...rest, alert_config_id: id })
        }
      />
      {configId === undefined && (
        <LabelEditor
          value={labels ?? {}}
          onChange={(next) => change(Object.keys(next).length === 0 ? rest : { ...rest, labels: next })}
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

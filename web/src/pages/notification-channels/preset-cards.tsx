import { Text, UnstyledButton } from '@mantine/core';
import { type PresetId, presetIds, presets } from '../../../../src/domain/templates/presets.ts';
import classes from './preset-cards.module.css';

/** The first question of a new channel: where do messages go? */
export function PresetCards({ onChoose }: { onChoose: (preset: PresetId) => void }) {
  return (
    <div className={classes.cards}>
      {presetIds.map((preset) => (
        <UnstyledButton key={preset} className={classes.card} onClick={() => onChoose(preset)}>
          <Text span fw={600}>
            {presets[preset].label}
          </Text>
          <Text span size="sm" c="var(--text-muted)">
            {presets[preset].about}
          </Text>
        </UnstyledButton>
      ))}
    </div>
  );
}

import { Text, UnstyledButton } from '@mantine/core';
import { presetList, presetNames } from '../../components/preset-name.ts';
import classes from './preset-cards.module.css';
import { type Preset, presetGuides } from './preset-guides.ts';

/** The first question of a new channel: where do messages go? */
export function PresetCards({ onChoose }: { onChoose: (preset: Preset) => void }) {
  return (
    <div className={classes.cards}>
      {presetList.map((preset) => (
        <UnstyledButton key={preset} className={classes.card} onClick={() => onChoose(preset)}>
          <Text span fw={600}>
            {presetNames[preset]}
          </Text>
          <Text span size="sm" c="var(--text-muted)">
            {presetGuides[preset].about}
          </Text>
        </UnstyledButton>
      ))}
    </div>
  );
}

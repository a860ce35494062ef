import { Radio, Stack, Text } from '@mantine/core';
import {
  isGathered,
  type SourceTypeId,
  sourceTypeIds,
  sourceTypes,
} from '../../../../src/domain/source-types/source-types.ts';
import classes from './source-type-field.module.css';

/** Selects the source type. Each type is shown with its purpose and an example of an artifact name. */
export function SourceTypeField({
  value,
  onChange,
  error,
}: {
  value?: SourceTypeId;
  onChange(value: SourceTypeId): void;
  error?: React.ReactNode;
}) {
  return (
    <Radio.Group
      label="Source type"
      value={value}
      onChange={(next) => onChange(next as SourceTypeId)}
      error={error}
    >
      <Stack gap={4} mt={6}>
        {sourceTypeIds.map((type) => (
          <Radio.Card key={type} value={type} className={classes.card} aria-label={sourceTypes[type].label}>
            <Radio.Indicator size="xs" />
            <span className={classes.words}>
              <Text span size="sm" fw={500}>
                {sourceTypes[type].label}
              </Text>
              <Text span size="xs" c="var(--text-muted)">
                {sourceTypes[type].about}
                {/* The form has pickers for version trackers and products, so no example is required. */}
                {isGathered(type) && (
                  <>
                    {' '}
                    <code>{sourceTypes[type].example}</code>
                  </>
                )}
              </Text>
            </span>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}

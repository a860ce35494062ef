import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';

/** Tabs for a choice that changes a page. In narrow windows, where the tabs wouldn't fit, a select replaces them. */
export function ChoiceTabs({
  label,
  data,
  value,
  onChange,
}: {
  /** Name of the choice, for screen readers. */
  label: string;
  data: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}) {
  const isNarrow = useMediaQuery('(max-width: 30em)', false, { getInitialValueInEffect: false });
  return isNarrow ? (
    <NativeSelect
      aria-label={label}
      mb="md"
      data={[...data]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ) : (
    <SegmentedControl aria-label={label} mb="md" data={[...data]} value={value} onChange={onChange} />
  );
}

import { TagsInput, Text } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';

/** Field for the owners whose alerts a channel receives. Suggests the existing values of the owner label. */
export function OwnersField({
  value,
  onChange,
  errors,
}: {
  value: string[];
  onChange: (owners: string[]) => void;
  /** Errors by field name. The server identifies an owner by its index in the list. */
  errors: Readonly<Record<string, React.ReactNode>>;
}) {
  const settings = useApi('listEffectiveSettings');
  const labels = useApi('getSoftwareLabels');
  const set = settings.data?.items.find(({ key }) => key === 'notification.owner_label')?.value;
  const label = typeof set === 'string' ? set : 'owner';
  const suggested = (labels.data?.items ?? []).flatMap((item) => (item.key === label ? item.value : []));
  const problems = Object.entries(errors).flatMap(([field, message]) => {
    const [list, place] = field.split('.');
    if (list !== 'owners') return [];
    return (
      <Text key={field} span inherit display="block">
        {place !== undefined && value[Number(place)]} {message}
      </Text>
    );
  });
  return (
    <TagsInput
      label="Owners"
      description={`Enter values of the label "${label}". Notification rules that send to the owner's channels then send these alerts here. For example, acme/payments.`}
      data={[...new Set(suggested)]}
      limit={50}
      maxTags={100}
      splitChars={[',']}
      acceptValueOnBlur
      value={value}
      onChange={onChange}
      error={problems.length > 0 ? problems : undefined}
    />
  );
}

import { TextInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { List } from './list/index.ts';

const pattern = /^[A-Za-z][A-Za-z0-9_./-]{0,62}=/;

/** Filters a list by one label; it stands in the address once it is whole. */
export function LabelFilter({ list }: { list: Pick<List<unknown>, 'search' | 'setSearch'> }) {
  const chosen = list.search.label ?? '';
  const [typed, setTyped] = useState(chosen);
  useEffect(() => setTyped(chosen), [chosen]);
  const isWhole = typed === '' || pattern.test(typed);
  const apply = () => {
    if (isWhole && typed !== chosen) list.setSearch({ label: typed });
  };
  return (
    <TextInput
      aria-label="Filter by label (key=value)"
      placeholder="Label (key=value)"
      leftSection={<IconTag size={15} aria-hidden />}
      value={typed}
      error={isWhole ? undefined : true}
      title={isWhole ? undefined : 'Use key=value, for example team=payments.'}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
      w={180}
    />
  );
}

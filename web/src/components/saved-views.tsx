import { Button, Checkbox, Menu, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark, IconPlus, IconTrash } from '@tabler/icons-react';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { useAction } from '../api/use-action.ts';
import { useApi } from '../api/use-api.ts';
import { useHasRole } from '../api/use-me.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { FormModal } from '../ui/dialog.tsx';
import type { PlainPath } from '../ui/links.tsx';
import { MenuLink } from '../ui/menu-link.tsx';
import { FormActions } from './form-actions.tsx';
import { useSubmit } from './use-submit.ts';

type View = Schemas['SavedView'];
type Search = Readonly<Record<string, string | undefined>>;

/**
 * Menu of saved views, which store the filters, sort order, and columns of a list. Views are either personal
 * or shared with the organization.
 */
export function SavedViews({ page, to, search }: { page: View['page']; to: PlainPath; search: Search }) {
  const { data } = useApi('listSavedViews', { query: { page } });
  const [isSaving, saving] = useDisclosure(false);
  const canShare = useHasRole('member');
  const confirm = useConfirm();
  const remove = useAction('deleteSavedView', { done: 'View deleted' });
  const views = data?.items ?? [];
  const current = textOf(search);
  const selected = views.find((view) => textOf(view.search) === current);
  const isDeletable = selected !== undefined && (canShare || !selected.is_shared);
  const deleteSelected = async ({ id, name, is_shared }: View) => {
    const isConfirmed = await confirm({
      title: `Delete "${name}"?`,
      body: `${is_shared ? 'Everyone in your organization loses this view. ' : ''}This can't be undone.`,
      confirm: 'Delete',
      danger: true,
    });
    if (isConfirmed) remove.mutate({ path: { id } });
  };
  const group = (title: string, isShared: boolean) => {
    const members = views.filter((view) => view.is_shared === isShared);
    return (
      members.length > 0 && (
        <>
          <Menu.Label>{title}</Menu.Label>
          {members.map((view) => (
            <MenuLink
              key={view.id}
              to={to}
              search={view.search}
              aria-current={view === selected || undefined}
            >
              {view.name}
            </MenuLink>
          ))}
        </>
      )
    );
  };
  return (
    <>
      <Menu position="bottom-end" width={240} withinPortal>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={15} aria-hidden />}>
            {selected?.name ?? 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {group('Your views', false)}
          {group('Shared views', true)}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconPlus size={15} />} onClick={saving.open}>
            Save this view
          </Menu.Item>
          {isDeletable && (
            <Menu.Item
              leftSection={<IconTrash size={15} />}
              onClick={() => void deleteSelected(selected)}
            >{`Delete "${selected.name}"`}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <FormModal opened={isSaving} onClose={saving.close} title="Save view">
        <SaveForm page={page} search={search} canShare={canShare} onClose={saving.close} />
      </FormModal>
    </>
  );
}

function SaveForm({
  page,
  search,
  canShare,
  onClose,
}: {
  page: View['page'];
  search: Search;
  canShare: boolean;
  onClose: () => void;
}) {
  const form = useForm({
    initialValues: { name: '', is_shared: false },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const create = useAction('createSavedView', { done: 'View saved', quiet: true });
  const { onSubmit, error, isBusy } = useSubmit(form, async (values) => {
    const kept = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
    await create.mutateAsync({ body: { page, ...values, search: Object.fromEntries(kept) } });
    onClose();
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
        {canShare && (
          <Checkbox
            label="Share with everyone in the organization"
            {...form.getInputProps('is_shared', { type: 'checkbox' })}
          />
        )}
        <FormActions submit="Save view" isBusy={isBusy} error={error} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** Returns a string that is the same for all searches with equal filters, sort order, and columns. */
function textOf(search: Search): string {
  return JSON.stringify(
    Object.entries(search)
      .filter(([, value]) => Boolean(value))
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

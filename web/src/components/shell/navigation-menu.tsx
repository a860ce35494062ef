import { useHasRole } from '../../api/use-me.ts';
import { NavigationLink } from '../../ui/links.tsx';
import { findCurrentPage, type NavigationEntry, type NavigationGroup, navigation } from './navigation.ts';
import classes from './shell.module.css';

/** Returns the navigation groups and pages that the user can access. */
export function useNavigation(): readonly NavigationGroup[] {
  const isAllowed = { member: useHasRole('member'), admin: useHasRole('admin') };
  const isShown = ({ role }: NavigationEntry) => role === undefined || isAllowed[role];
  return navigation
    .map((group) => ({ ...group, pages: group.pages.filter(isShown) }))
    .filter(({ pages }) => pages.length > 0);
}

/** Navigation groups, with the pages of the current group. */
export function Navigation({ pathname }: { pathname: string }) {
  const groups = useNavigation();
  const current = findCurrentPage(groups, pathname);
  return groups.map(({ title, icon: Icon, pages }) => {
    const isOpen = pages.some(({ to }) => to === current);
    const [first] = pages;
    if (first === undefined) return null;
    // A group links to its first page. The list omits that page if its title is the same as the group's.
    const listed = pages.filter((page) => page !== first || page.title !== title);
    const isCurrent = isOpen && !listed.some(({ to }) => to === current);
    return (
      <div key={title}>
        <NavigationLink
          to={first.to}
          label={title}
          active={isOpen}
          variant={isCurrent ? 'light' : 'subtle'}
          aria-current={isCurrent ? 'page' : undefined}
          leftSection={<Icon size={17} stroke={1.6} aria-hidden />}
          className={classes.entry}
        />
        {isOpen && listed.length > 0 && (
          <div role="group" aria-label={title} className={classes.pages}>
            {listed.map((page) => (
              <NavigationLink
                key={page.to}
                to={page.to}
                label={page.title}
                active={page.to === current}
                aria-current={page.to === current ? 'page' : undefined}
                className={classes.entry}
              />
            ))}
          </div>
        )}
      </div>
    );
  });
}

/** Every address of the console. Screens are loaded when their address is first opened. */
import { createRoute, createRouter } from '@tanstack/react-router';
import { signInRoute } from '../screens/sign-in/routes.ts';
import { NotFound } from './not-found.tsx';
import { rootRoute, shellRoute } from './roots.ts';
import { ScreenFailure } from './screen-failure.tsx';
import { screens } from './screens.ts';

/** With the navigation around it, which leads on. */
const nowhereRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFound });

const routeTree = rootRoute.addChildren([
  signInRoute(rootRoute),
  shellRoute.addChildren([...screens(shellRoute), nowhereRoute]),
]);

export const router = createRouter({
  routeTree,
  context: {},
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenFailure,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

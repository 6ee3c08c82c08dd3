/**
 * Runs in every page of the walk before the page's own scripts: tripwires for what nobody may do, and what the walk does and asks
 * there, as `walk`.
 */
(() => {
  /** What happened that must not. */
  const hits = [];
  globalThis.hit = (n) => hits.push(`name ${n} ran`);
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    hits.push(`${violatedDirective} forbade ${blockedURI}`),
  );

  /** How far things moved that nobody had touched. */
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
  }).observe({ type: 'layout-shift', buffered: true });

  /** Requests that were not answered yet. */
  let flying = 0;
  const { fetch } = globalThis;
  globalThis.fetch = (...asked) => {
    flying++;
    return fetch(...asked).finally(() => flying--);
  };

  /** The route of the last screen; of a page that was just loaded, none. */
  let at;

  const isQuiet = () =>
    flying === 0 &&
    globalThis.__TSR_ROUTER__.state.status === 'idle' &&
    document.querySelector('main') !== null &&
    document.querySelector('.skeleton') === null;

  function isShown(text) {
    const inputs = [...document.querySelectorAll('input, textarea')];
    return document.body.textContent.includes(text) || inputs.some(({ value }) => value.includes(text));
  }

  /** Longest chain of requests that each began only when the one before had ended: as many times the page waited for the network. */
  function longestChain(requests) {
    let [length, end] = [0, -1];
    for (const { startTime, responseEnd } of requests.toSorted((a, b) => a.responseEnd - b.responseEnd)) {
      if (startTime < end) continue;
      length++;
      end = responseEnd;
    }
    return length;
  }

  globalThis.walk = {
    routes: () => Object.keys(globalThis.__TSR_ROUTER__.routesByPath),

    /** Goes there and waits until nothing is on its way any more; says which of the texts are not there then. */
    async go(route, to, texts) {
      const missing = () => texts.filter((text) => !isShown(text));
      const before = at === undefined || route === at ? null : document.querySelector('main');
      at = route;
      globalThis.__TSR_ROUTER__.history.push(to);
      let quiet = 0;
      for (const end = Date.now() + 60_000; quiet < 3 && Date.now() < end; ) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        quiet = !before?.isConnected && isQuiet() && missing().length === 0 ? quiet + 1 : 0;
      }
      return [
        ...(isQuiet() ? [] : ['it never came to rest']),
        ...missing().map((text) => `does not show ${text}`),
      ];
    },

    /** Whatever of a name became more than text, and links that lead where a name wants them to. */
    faults() {
      const made = [...document.querySelectorAll('[data-hostile]')].map(
        ({ outerHTML }) => `made ${outerHTML}`,
      );
      const links = [...document.querySelectorAll('a[href]')].flatMap((link) => {
        if (!['http:', 'https:', 'mailto:'].includes(link.protocol)) return [`links to ${link.href}`];
        const isSafe = link.relList.contains('noopener') || link.relList.contains('noreferrer');
        return link.origin === location.origin || isSafe ? [] : [`links to ${link.href} without noopener`];
      });
      return [...hits.splice(0), ...made, ...links];
    },

    /** Texts for people: what stands in code is data. */
    texts() {
      const found = [document.title];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.parentElement.closest('code, pre, .mono, kbd') === null) found.push(node.textContent.trim());
      }
      return found.filter((text) => text !== '');
    },

    /** What it took to open the page that is there. */
    async figures() {
      const paints = () => performance.getEntriesByName('first-contentful-paint');
      while (!isQuiet() || paints().length === 0) await new Promise((resolve) => setTimeout(resolve, 30));
      const all = performance.getEntriesByType('resource');
      const [page] = performance.getEntriesByType('navigation');
      const [painted] = paints();
      return {
        requests: all.length + 1,
        bytes: [page, ...all].reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
        trips: longestChain(
          [page, ...all].filter(
            ({ transferSize, responseEnd }) => transferSize > 0 && responseEnd <= painted.startTime,
          ),
        ),
        shift,
      };
    },

    /** Whether one would have to scroll to the side. */
    faultsOfWidth() {
      const { scrollWidth } = document.scrollingElement;
      if (scrollWidth <= innerWidth) return [];
      const wide = [...document.querySelectorAll('.app *')].find(
        (each) => each.getBoundingClientRect().right > innerWidth + 1,
      );
      return [`is ${scrollWidth} wide on ${innerWidth}: ${wide?.outerHTML.slice(0, 200)}`];
    },
  };
})();

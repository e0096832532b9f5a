// What the page uses of the libraries in static/page/lib.

declare module "preact" {
  export type Shown = { type: unknown; props: Record<string, any> };
  export function h(type: any, attributes: Record<string, any> | null, ...children: any[]): Shown;
  export function render(shown: Shown | null, parent: ParentNode): void;
  export function cloneElement(shown: Shown, attributes: Record<string, any>): Shown;
}

declare module "preact/hooks" {
  export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
  export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
  export function useErrorBoundary(): [unknown, () => void];
  export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
  export function useRef<T>(first: T): { current: T };
}

declare module "@preact/signals" {
  export interface ReadonlySignal<T> {
    readonly value: T;
    peek(): T;
  }
  export interface Signal<T> extends ReadonlySignal<T> {
    value: T;
  }
  export function signal<T>(first: T): Signal<T>;
  export function computed<T>(compute: () => T): ReadonlySignal<T>;
  export function effect(run: () => void | (() => void)): () => void;
  export function batch<T>(run: () => T): T;
  export function useSignal<T>(first: T): Signal<T>;
}

declare module "htm" {
  const htm: { bind<T>(h: (type: any, attributes: any, ...children: any[]) => T): (strings: TemplateStringsArray, ...values: any[]) => T };
  export default htm;
}

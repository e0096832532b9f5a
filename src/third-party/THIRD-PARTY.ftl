Berth is licensed under the Apache License, Version 2.0. Its jars contain the following works of others.
Licences are named by their SPDX identifiers; where there are several, any of them may be chosen.

Native libraries
  PostgreSQL, in embedded-postgres-binaries (the build itself: Apache-2.0): PostgreSQL. With it:
    ICU: Unicode-DFS-2016; libxml2, libxslt, OSSP uuid: MIT; OpenSSL: OpenSSL; XZ Utils: public domain; zlib: Zlib
  OR-Tools, in the laboratory's jar alone, as ortools-linux-x86-64 and its like for other platforms: Apache-2.0. With it:
    Abseil, SCIP: Apache-2.0; bzip2: bzip2-1.0.6; Cbc, Cgl, Clp, CoinUtils, Osi: EPL-2.0; HiGHS: MIT;
    Protocol Buffers, RE2: BSD-3-Clause; zlib: Zlib

Scripts and icons of the page, in static/page/lib
  htm: Apache-2.0
  jwt-decode: MIT
  lucide: ISC, MIT
  oidc-client-ts: Apache-2.0
  preact: MIT
  preact-signals: MIT
  uPlot: MIT

Java libraries
<#list dependencyMap as entry>
<#assign artifact = entry.getKey()/>
<#-- the native libraries above, of which each platform has others -->
<#if !artifact.artifactId?matches("(embedded-postgres-binaries|ortools-(linux|darwin|win32))-.*")>
  ${artifact.groupId}:${artifact.artifactId} ${artifact.version}: ${entry.getValue()?join(", ")}
</#if>
</#list>
